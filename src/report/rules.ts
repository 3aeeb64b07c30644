import type { ApiKeyRecord } from '../client/client.ts';
import { lacks } from '../formats/readable-record.ts';
import { nameGlob } from '../roster/name-glob.ts';
import { DAY_MS, isOlder } from './age.ts';
import { oneOf } from './selected-keys.ts';

/** Each key breaks it or not, whatever the others are. */
export interface KeyRule {
  /** What a key that breaks it is, after the words of a selection. */
  readonly words: string;
  breaks(key: ApiKeyRecord, ageMs: number): boolean;
}

/** The keys of a group break it, all of them, when they are more than `max`. */
export interface GroupRule {
  readonly words: string;
  readonly max: number;
  /** `null`: the key is in no group. */
  groupOf(key: ApiKeyRecord): string | null;
}

export type Rule = KeyRule | GroupRule;

export const maxAgeRule = (days: number): KeyRule => ({
  words: `older than ${days} days`,
  breaks: (_, ageMs) => isOlder(ageMs, days * DAY_MS),
});

export const noDefaultWorkspaceRule: KeyRule = {
  words: 'in the default workspace',
  breaks: ({ workspace_id }) => workspace_id === null,
};

export const creatorsAllowedRule = (ids: ReadonlySet<string>): KeyRule => ({
  words: "of a creator who isn't allowed",
  breaks: ({ created_by }) => !ids.has(created_by.id),
});

export const creatorsLeftRule = (ids: ReadonlySet<string>): KeyRule => ({
  words: 'of a creator who has left',
  breaks: ({ created_by }) => ids.has(created_by.id),
});

export function namePatternRule(patterns: readonly string[]): KeyRule {
  const globs = patterns.map(nameGlob);
  return {
    words: `not named like ${oneOf(patterns, 'patterns')}`,
    breaks: key => lacks(key, 'name') || !globs.some(matches => matches(key.name)),
  };
}

export const uniqueNamesRule: GroupRule = {
  words: 'of a name that another has too',
  max: 1,
  groupOf: key => (lacks(key, 'name') ? null : key.name),
};

export const maxKeysOfACreatorRule = (max: number): GroupRule => ({
  words: `of a creator of more than ${max}`,
  max,
  // By type and ID, which is what makes a creator: an ID may be of a user and of a service account.
  groupOf: key =>
    lacks(key, 'created_by.id') ? null : JSON.stringify([key.created_by.type, key.created_by.id]),
});
