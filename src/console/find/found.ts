import type { ApiKeyRecord } from '../../client/client.ts';
import type { MatchKind } from '../../find/match.ts';
import type { RosterQuery } from '../walk/query.ts';

export interface Found {
  readonly key: ApiKeyRecord;
  readonly by: MatchKind;
  /** The ID of the next newer key; `null`: it is the newest. */
  readonly newer: string | null;
}

/** Whether it was found by what tells this key from others. */
export function isExact({ by }: Found): boolean {
  return by === 'ID' || by === 'hint';
}

/** All keys from this one on. */
export function queryFrom({ newer }: Found): RosterQuery {
  return newer === null ? {} : { after_id: newer };
}
