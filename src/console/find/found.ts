import type { ApiKeyRecord } from '../../client/client.ts';
import { rosterAddress } from '../shell/address.ts';
import type { MatchKind } from './match.ts';

export interface Found {
  readonly key: ApiKeyRecord;
  readonly by: MatchKind;
  /** The ID of the next newer key; `null`: it is the newest. */
  readonly newer: string | null;
}

/** The roster from this key on. */
export function placeOf({ newer }: Found): string {
  return rosterAddress(newer === null ? {} : { after_id: newer });
}
