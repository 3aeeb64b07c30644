import { Option } from 'commander';
import type { ListParameters } from '../../../client/client.ts';
import { UsageError } from '../../../shared/command/command.ts';
import { durationOf, idOf } from '../../../shared/command/options.ts';
import { FILTER_NAMES, type FilterName, filters } from '../../../shared/record/filters.ts';
import type { AnyId } from '../../../shared/record/identifier.ts';
import { formatTimestamp, type Timestamp, timestampOfDate } from '../../../shared/record/timestamp.ts';
import { looksLikeFullKey } from '../../find/mask.ts';
import type { TimeFlags } from './local-filters.ts';

/** The flag of each filter. A filter without a flag doesn't compile. */
const flags = {
  status: '--status <status>',
  workspaceId: '--workspace <id>',
  creatorId: '--creator <id>',
} as const satisfies Record<FilterName, `--${string} <${string}>`>;

/** The values of the flags that were given. */
export interface FilterFlags extends TimeFlags {
  readonly status?: string;
  readonly workspace?: string;
  readonly creator?: string;
  readonly olderThan?: string;
  readonly newerThan?: string;
}

type FilterParameters = Omit<ListParameters, 'limit' | 'after_id' | 'before_id'>;

const options = FILTER_NAMES.map(name => {
  const { description, parameter, schema } = filters[name];
  const option = new Option(flags[name], helpText(description));
  if ('enum' in schema) option.choices(schema.enum);
  return { option, parameter };
});

export const filterOptions = () => [
  ...options.map(({ option }) => option),
  new Option('--older-than <duration>', 'only keys older than this, such as 90d'),
  new Option('--newer-than <duration>', 'only keys newer than this, such as 30d'),
];

/** The query parameters that the flags ask for. What looks like a full key isn't sent. Throws a `UsageError`. */
export function filterParameters(given: FilterFlags): FilterParameters {
  const parameters = options.map(({ option, parameter }) => {
    const value = given[option.attributeName() as 'status' | 'workspace' | 'creator'];
    if (value !== undefined && option.argChoices === undefined) sentId(String(option.long), value);
    return [parameter, value];
  });
  const { expired, expiresWithin, unusedFor, status } = given;
  const isActive = status === undefined && (expired ?? expiresWithin ?? unusedFor) !== undefined;
  return {
    ...(Object.fromEntries(parameters) as FilterParameters),
    ...(isActive && { status: 'active' }),
    ...creationRange(given),
  };
}

/** A key of exactly such an age is neither older nor newer. One that wasn't used for longer than a time is older than that. */
function creationRange({ olderThan, newerThan, unusedFor }: FilterFlags): FilterParameters {
  const now = timestampOfDate(new Date());
  const older = olderThan === undefined ? undefined : durationOf('--older-than', olderThan);
  const unused = unusedFor === undefined ? undefined : durationOf('--unused-for', unusedFor);
  const [option, least] =
    (older ?? -1n) >= (unused ?? -1n) ? ['--older-than', older] : ['--unused-for', unused];
  const most = newerThan === undefined ? undefined : durationOf('--newer-than', newerThan);
  if (least !== undefined && most !== undefined && least >= most)
    throw new UsageError(`${option}: must be less than --newer-than, or no key is between them`);
  const text = (time: bigint) => formatTimestamp(time as Timestamp);
  return {
    ...(least !== undefined && { created_before: text(now - least) }),
    ...(most !== undefined && { created_from: text(now - most + 1n) }),
  };
}

/** A description as help texts are written: in lower case, and without a full stop. */
function helpText(description: string): string {
  return description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, '');
}

/** An ID that is sent: what isn't one would be in the logs of the service and of what stands before it. */
export function sentId<Id extends AnyId>(option: string, text: string): Id {
  if (!looksLikeFullKey(text)) return idOf<Id>(option, text);
  throw new UsageError(
    `${option}: looks like a full key, and not like an ID, so it isn't sent. Remove it from the shell's history, and give it to ` +
      'keyroster-admin find on standard input',
  );
}
