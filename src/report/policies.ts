import type { ApiKeyRecord } from '../client/client.ts';
import { lacks } from '../formats/readable-record.ts';
import type { CsvColumn } from '../formats/render-csv.ts';
import { type GroupRule, type KeyRule, maxAgeRule, noDefaultWorkspaceRule, type Rule } from './rules.ts';
import { ACTIVE, isSelected, type Selection, selectionWords, unknownSelection } from './selected-keys.ts';

export const LEVELS = ['fail', 'warn'] as const;
export type Level = (typeof LEVELS)[number];

interface Named {
  readonly name: string;
  /** Whether a report over keys that break it fails, or only says so. */
  readonly level: Level;
  /** What a key that breaks it is, in words, such as "active and older than 365 days". */
  readonly breach: string;
  /** The field for which it can't judge this key, which lacks it. Whoever asks more of the policy asks this first. */
  fieldLacked(key: ApiKeyRecord): CsvColumn | undefined;
}

export interface KeyPolicy extends Named {
  breaks(key: ApiKeyRecord, ageMs: number): boolean;
}

/** Broken by all keys of a group that are more than `max`. */
export interface GroupPolicy extends Named {
  readonly max: number;
  /** `null`: the policy isn't for this key. */
  groupOf(key: ApiKeyRecord): string | null;
}

/** A rule for some of the keys. */
export type Policy = KeyPolicy | GroupPolicy;

export interface PolicyOptions {
  readonly name: string;
  readonly level: Level;
  readonly keys: Selection;
}

export function policyOf(options: PolicyOptions, rule: Rule): Policy {
  return 'max' in rule ? groupPolicy(options, rule) : keyPolicy(options, rule);
}

function named({ name, level, keys }: PolicyOptions, { words, fields }: Rule): Named {
  return {
    ...{ name, level, breach: `${selectionWords(keys)} and ${words}` },
    fieldLacked: key =>
      unknownSelection(keys, key) ??
      (isSelected(keys, key) ? fields.find(field => lacks(key, field)) : undefined),
  };
}

function keyPolicy({ name, level, keys }: PolicyOptions, rule: KeyRule): KeyPolicy {
  return {
    ...named({ name, level, keys }, rule),
    breaks: (key, ageMs) => isSelected(keys, key) && rule.breaks(key, ageMs),
  };
}

function groupPolicy({ name, level, keys }: PolicyOptions, rule: GroupRule): GroupPolicy {
  return {
    ...named({ name, level, keys }, rule),
    max: rule.max,
    groupOf: key => (isSelected(keys, key) ? rule.groupOf(key) : null),
  };
}

/** The policies of the flags; the console shows their figures. */
export const maxAge = (days: number): KeyPolicy =>
  keyPolicy({ name: 'max-age', level: 'fail', keys: ACTIVE }, maxAgeRule(days));

export const noDefaultWorkspace: KeyPolicy = keyPolicy(
  { name: 'no-default-workspace', level: 'fail', keys: ACTIVE },
  noDefaultWorkspaceRule,
);
