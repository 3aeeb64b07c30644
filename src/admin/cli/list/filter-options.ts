import { Option } from 'commander';
import type { ListParameters } from '../../../client/client.ts';
import { UsageError } from '../../../shared/command/command.ts';
import { durationOf, required } from '../../../shared/command/options.ts';
import { DURATION_RULE } from '../../../shared/record/duration.ts';
import { type FilterName, filters } from '../../../shared/record/filters.ts';
import type { AnyId } from '../../../shared/record/identifier.ts';
import { parseCreationTime } from '../../../shared/record/list-query.ts';
import { STATUSES, type Status } from '../../../shared/record/status.ts';
import { formatTimestamp, type Timestamp, timestampNow } from '../../../shared/record/timestamp.ts';
import { type LocalFilter, timeFilters } from '../../find/local-filter.ts';
import { looksLikeFullKey } from '../../find/mask.ts';
import { isInDefaultWorkspace, LISTED_ID_RULE, parseListedId } from '../../find/told.ts';
import { nameGlob } from '../../report/name-glob.ts';

/** The flag of each filter. A filter without a flag doesn't compile. Creators may be many: `creators.ts`. */
const flags = {
  status: new Option('--status <status>', helpText(filters.status.description)).choices(STATUSES),
  workspaceId: new Option('--workspace <id>', helpText(filters.workspaceId.description)),
} as const satisfies Record<Exclude<FilterName, 'creatorId'>, Option>;

/** The values of the flags that were given. */
export interface FilterFlags {
  readonly status?: string;
  readonly workspace?: string;
  readonly olderThan?: string;
  readonly newerThan?: string;
  // The operation doesn't have those below. What they tell of the keys is sent, so that fewer are read.
  readonly defaultWorkspace?: true;
  readonly name?: string;
  readonly expired?: true;
  readonly expiresWithin?: string;
  readonly unusedFor?: string;
}

type FilterParameters = Omit<ListParameters, 'limit' | 'after_id' | 'before_id'>;

export const filterOptions = () => [
  ...Object.values(flags),
  new Option('--older-than <age or date>', 'only keys older than this, such as 90d or 2025-03-01'),
  new Option('--newer-than <age or date>', 'only keys newer than this, such as 30d or 2025-03-01'),
  new Option('--default-workspace', 'only keys of the default workspace').conflicts('workspace'),
  new Option(
    '--name <pattern>',
    'only keys with such a name: * is any text, ? any character; case makes no difference',
  ),
  new Option(
    '--expires-within <duration>',
    'only active keys that expire within this, such as 30d, and have not yet',
  ),
  new Option('--expired', 'only active keys that have expired').conflicts('expiresWithin'),
  new Option(
    '--unused-for <duration>',
    'only active keys that were not used for longer than this, such as 90d; one never used counts from its creation',
  ),
];

/** The query parameters that the flags ask for. What looks like a full key isn't sent. Throws a `UsageError`. */
export function filterParameters(given: FilterFlags): FilterParameters {
  const { status, workspace, expired, expiresWithin, unusedFor } = given;
  if (workspace !== undefined) sentId('--workspace', workspace);
  if (expired && status !== undefined && status !== 'active')
    throw new UsageError('--expired: only active keys expire: leave --status out');
  const isActive = status === undefined && (expired ?? expiresWithin ?? unusedFor) !== undefined;
  return {
    status: (isActive ? 'active' : status) as Status | undefined,
    workspace_id: workspace,
    ...creationRange(given),
  };
}

/** A key of exactly such an age is neither older nor newer. One that wasn't used for longer than a time is older than that. */
function creationRange({ olderThan, newerThan, unusedFor }: FilterFlags): FilterParameters {
  const now = timestampNow();
  const older = timeOf('--older-than', olderThan, now);
  const unused = timeOf('--unused-for', unusedFor, now);
  const [option, before] =
    older === undefined || (unused ?? older) < older ? ['--unused-for', unused] : ['--older-than', older];
  const from = timeOf('--newer-than', newerThan, now + 1n);
  if (before !== undefined && from !== undefined && before <= from)
    throw new UsageError(`${option}: must be less than --newer-than, or no key is between them`);
  const text = (time: bigint) => formatTimestamp(time as Timestamp);
  return {
    ...(before !== undefined && { created_before: text(before) }),
    ...(from !== undefined && { created_from: text(from) }),
  };
}

/** A date or a time by itself, or so long before now. */
function timeOf(option: string, text: string | undefined, now: bigint): bigint | undefined {
  if (text === undefined) return undefined;
  const time = parseCreationTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  return time ?? now - ageOf(option, text, `${DURATION_RULE}, or a date such as 2025-03-01`);
}

/** Who asks what is older than 6m means months, and would get a wrong answer. */
function ageOf(option: string, text: string, rule = DURATION_RULE): bigint {
  if (option !== '--newer-than' && /^\d+m$/.test(text))
    throw new UsageError(`${option}: m is minutes: give days, such as 30d`);
  return durationOf(option, text, rule);
}

/** A pattern is compared with each name: a longer one is no name. */
const MAX_PATTERN = 1_000;

/** The filters that the operation doesn't have. Throws a `UsageError` for a value that breaks its rule. */
export function localFiltersOf(given: FilterFlags): readonly LocalFilter[] {
  const { defaultWorkspace, name } = given;
  const filters = [...timeFiltersOf(given), ...(defaultWorkspace ? [isInDefaultWorkspace] : [])];
  if (name === undefined) return filters;
  if (name === '' || name.length > MAX_PATTERN)
    throw new UsageError(`--name: must be a pattern of 1 to ${MAX_PATTERN} characters`);
  refuseFullKey('--name', name.replaceAll(/[*?]/g, ''), 'a name');
  const isMatch = nameGlob(name);
  return [...filters, key => isMatch(key.name)];
}

function timeFiltersOf({ expired, expiresWithin, unusedFor }: FilterFlags): LocalFilter[] {
  const now = Date.now();
  const ms = (option: string, text: string) => Number(ageOf(option, text) / 1_000n);
  const filters = [
    expired && timeFilters.expired(now),
    expiresWithin !== undefined && timeFilters.expires_within(now, ms('--expires-within', expiresWithin)),
    unusedFor !== undefined && timeFilters.unused_for(now, ms('--unused-for', unusedFor)),
  ];
  return filters.filter(each => typeof each === 'function');
}

/** A description as help texts are written: in lower case, and without a full stop. */
function helpText(description: string): string {
  return description.charAt(0).toLowerCase() + description.slice(1).replace(/\.$/, '');
}

/** An ID that is sent: what isn't one would be in the logs of the service and of what stands before it. */
export function sentId<Id extends AnyId>(option: string, text: string): Id {
  refuseFullKey(option, text, "an ID, so it isn't sent");
  return required(option, parseListedId<Id>(text), LISTED_ID_RULE);
}

/** An argument is in the shell's history, whether it is sent or not. */
function refuseFullKey(option: string, text: string, isNo: string): void {
  if (!looksLikeFullKey(text)) return;
  throw new UsageError(
    `${option}: looks like a full key, and not like ${isNo}. Remove it from the shell's history, and give it to ` +
      'keyroster-admin find on standard input',
  );
}
