import type { ApiKeyRecord } from '../client/client.ts';
import { DAY_MS, isOlder } from './age.ts';

/** A rule for active keys: one that is inactive or archived gives no access. */
export interface Policy {
  readonly name: string;
  /** What a key that breaks it is, in words, such as "active and older than 365 days". */
  readonly breach: string;
  breaks(key: ApiKeyRecord, ageMs: number): boolean;
}

export const maxAge = (days: number): Policy => ({
  name: 'max-age',
  breach: `active and older than ${days} days`,
  breaks: ({ status }, ageMs) => status === 'active' && isOlder(ageMs, days * DAY_MS),
});

export const noDefaultWorkspace: Policy = {
  name: 'no-default-workspace',
  breach: 'active and in the default workspace',
  breaks: ({ status, workspace_id }) => status === 'active' && workspace_id === null,
};
