import type { ApiKeyRecord } from '../client/client.ts';
import type { CsvColumn } from '../formats/render-csv.ts';
import { nameGlob } from '../roster/name-glob.ts';
import { DAY_MS, isOlder } from './age.ts';
import { oneOf } from './selected-keys.ts';

interface Judging {
  /** What it judges a key by, besides its age. A key that lacks one of them can't be judged, and isn't asked of the rule. */
  readonly fields: readonly CsvColumn[];
}

/** Each key breaks it or not, whatever the others are. */
export interface KeyRule extends Judging {
  /** What a key that breaks it is, after the words of a selection. */
  readonly words: string;
  breaks(key: ApiKeyRecord, ageMs: number): boolean;
}

/** The keys of a group break it, all of them, when they are more than `max`. */
export interface GroupRule extends Judging {
  readonly words: string;
  readonly max: number;
  groupOf(key: ApiKeyRecord): string;
}

export type Rule = KeyRule | GroupRule;

export const maxAgeRule = (days: number): KeyRule => ({
  fields: [],
  words: `older than ${days} days`,
  breaks: (_, ageMs) => isOlder(ageMs, days * DAY_MS),
});

export const noDefaultWorkspaceRule: KeyRule = {
  fields: ['workspace_id'],
  words: 'in the default workspace',
  breaks: ({ workspace_id }) => workspace_id === null,
};

export const creatorsAllowedRule = (ids: ReadonlySet<string>): KeyRule => ({
  fields: ['created_by.id'],
  words: "of a creator who isn't allowed",
  breaks: ({ created_by }) => !ids.has(created_by.id),
});

export const creatorsLeftRule = (ids: ReadonlySet<string>): KeyRule => ({
  fields: ['created_by.id'],
  words: 'of a creator who has left',
  breaks: ({ created_by }) => ids.has(created_by.id),
});

export function namePatternRule(patterns: readonly string[]): KeyRule {
  const globs = patterns.map(nameGlob);
  return {
    fields: ['name'],
    words: `not named like ${oneOf(patterns, 'patterns')}`,
    breaks: ({ name }) => !globs.some(matches => matches(name)),
  };
}

export const uniqueNamesRule: GroupRule = {
  fields: ['name'],
  words: 'of a name that another has too',
  max: 1,
  groupOf: ({ name }) => name,
};

export const maxKeysOfACreatorRule = (max: number): GroupRule => ({
  fields: ['created_by.id', 'created_by.type'],
  words: `of a creator of more than ${max}`,
  max,
  // By type and ID, which is what makes a creator: an ID may be of a user and of a service account.
  groupOf: ({ created_by: { type, id } }) => JSON.stringify([type, id]),
});
