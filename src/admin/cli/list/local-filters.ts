import { Option } from 'commander';
import type { ApiKeyRecord } from '../../../client/client.ts';
import { UsageError } from '../../../shared/command/command.ts';
import { durationOf } from '../../../shared/command/options.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { folded } from '../../find/folded.ts';
import { type FilterPart, inDefaultWorkspace, LocalFilter } from '../../find/local-filter.ts';
import { ageOf, isOlder } from '../../report/age.ts';
import { nameGlob } from '../../report/name-glob.ts';

/** The values of the flags that were given. */
export interface LocalFilterFlags {
  readonly olderThan?: string;
  readonly newerThan?: string;
  readonly defaultWorkspace?: true;
  readonly name?: string;
}

export const localFilterOptions = () => [
  new Option('--older-than <duration>', 'only keys older than this, such as 90d'),
  new Option('--newer-than <duration>', 'only keys newer than this, such as 30d'),
  new Option('--default-workspace', 'only keys of the default workspace').conflicts('workspace'),
  new Option(
    '--name <pattern>',
    'only keys with such a name: * is any text, ? any character; case makes no difference',
  ),
];

/** A pattern is compared with each name: a longer one is no name. */
const MAX_PATTERN = 1_000;

/** Throws a `UsageError` for a value that breaks its rule, and for two that no key can pass. */
export function localFilterOf(flags: LocalFilterFlags): LocalFilter {
  const { olderThan, newerThan, defaultWorkspace, name } = flags;
  const now = new Date();
  const parts: FilterPart[] = [];
  const least = olderThan === undefined ? undefined : millisecondsOf('--older-than', olderThan);
  const most = newerThan === undefined ? undefined : millisecondsOf('--newer-than', newerThan);
  if (least !== undefined && most !== undefined && least >= most)
    throw new UsageError('--older-than: must be less than --newer-than, or no key is between them');
  if (least !== undefined)
    parts.push({ matches: key => isOlder(knownAge(key, now), least), ends: 'backwards' });
  if (most !== undefined) parts.push({ matches: key => isOlder(most, knownAge(key, now)), ends: 'forwards' });
  if (defaultWorkspace) parts.push(inDefaultWorkspace);
  if (name !== undefined) {
    if (name === '' || name.length > MAX_PATTERN)
      throw new UsageError(`--name: must be a pattern of 1 to ${MAX_PATTERN} characters`);
    const isMatch = nameGlob(folded(name));
    parts.push({ matches: key => isMatch(folded(key.name)) });
  }
  return new LocalFilter(parts);
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
