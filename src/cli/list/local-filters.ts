import { Option } from 'commander';
import type { ApiKeyRecord } from '../../client/client.ts';
import { folded } from '../../find/folded.ts';
import { ageOf, isOlder } from '../../report/age.ts';
import { Refused } from '../../roster/errors.ts';
import { nameGlob } from '../../roster/name-glob.ts';
import { durationOf } from '../options/shared-options.ts';
import { UsageError } from '../options/usage-error.ts';
import type { PropertyOf } from './filter-options.ts';

/** A filter that the operation doesn't have: it is applied to the keys that were read. */
export interface LocalFilter {
  readonly matches: (key: ApiKeyRecord) => boolean;
  /** In this direction nothing matches behind the first key that doesn't, so that a walk can end there. */
  readonly ends?: 'forwards' | 'backwards';
}

interface Row {
  readonly description: string;
  /** Flags of filters that contradict it. */
  readonly conflicts?: string;
  /** Throws a `UsageError` for a value that breaks the rule. */
  readonly filter: (text: string, now: Date) => LocalFilter;
}

/** A pattern is compared with each name: a longer one is no name. */
const MAX_PATTERN = 1_000;

const rows = {
  '--older-than <duration>': {
    description: 'only keys older than this, such as 90d',
    filter: (text, now) => {
      const ms = millisecondsOf('--older-than', text);
      return { matches: key => isOlder(knownAge(key, now), ms), ends: 'backwards' };
    },
  },
  '--newer-than <duration>': {
    description: 'only keys newer than this, such as 30d',
    filter: (text, now) => {
      const ms = millisecondsOf('--newer-than', text);
      return { matches: key => isOlder(ms, knownAge(key, now)), ends: 'forwards' };
    },
  },
  '--default-workspace': {
    description: 'only keys of the default workspace',
    conflicts: 'workspace',
    filter: () => ({ matches: key => key.workspace_id === null }),
  },
  '--name <pattern>': {
    description: 'only keys with such a name: * is any text, ? any character; case makes no difference',
    filter: text => {
      if (text === '' || text.length > MAX_PATTERN)
        throw new UsageError(`--name: must be a pattern of 1 to ${MAX_PATTERN} characters`);
      const isMatch = nameGlob(folded(text));
      return { matches: key => isMatch(folded(key.name)) };
    },
  },
} as const satisfies Record<`--${string}`, Row>;

/** The values of the flags that were given. */
export type LocalFilterFlags = {
  readonly [Flag in keyof typeof rows as PropertyOf<Flag>]?: Flag extends `${string} <${string}>`
    ? string
    : true;
};

const options = Object.entries<Row>(rows).map(([flag, { description, conflicts = [], filter }]) => ({
  option: new Option(flag, description).conflicts(conflicts),
  filter,
}));

export const localFilterOptions = () => options.map(({ option }) => option);

/** The filters that the flags ask for. Throws a `UsageError` for two that no key can pass. */
export function localFilters(given: LocalFilterFlags): LocalFilter[] {
  const now = new Date();
  const { olderThan, newerThan } = given;
  if (olderThan !== undefined && newerThan !== undefined) {
    const least = durationOf('--older-than', olderThan);
    if (least >= durationOf('--newer-than', newerThan))
      throw new UsageError('--older-than: must be less than --newer-than, or no key is between them');
  }
  return options.flatMap(({ option, filter }) => {
    const value = given[option.attributeName() as keyof LocalFilterFlags];
    return value === undefined ? [] : [filter(String(value), now)];
  });
}

function millisecondsOf(option: string, text: string): number {
  return Number(durationOf(option, text)) / 1000;
}

/** A key without an age can't be kept and can't be left out. */
function knownAge({ id, created_at }: ApiKeyRecord, now: Date): number {
  const ageMs = ageOf(created_at, now);
  if (ageMs === undefined)
    throw new Refused(`the service lists ${id} with a created_at that is not a timestamp: it has no age`);
  return ageMs;
}
