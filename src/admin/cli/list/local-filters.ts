import { Option } from 'commander';
import { UsageError } from '../../../shared/command/command.ts';
import { durationOf } from '../../../shared/command/options.ts';
import { inDefaultWorkspace, type LocalFilter, timeFilters } from '../../find/local-filter.ts';
import { nameGlob } from '../../report/name-glob.ts';
import { refuseFullKey, type TimeFlags } from './filter-options.ts';

/** The values of the flags that were given. */
export interface LocalFilterFlags extends TimeFlags {
  readonly defaultWorkspace?: true;
  readonly name?: string;
}

export const localFilterOptions = () => [
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

/** A pattern is compared with each name: a longer one is no name. */
const MAX_PATTERN = 1_000;

/** Throws a `UsageError` for a value that breaks its rule. */
export function localFiltersOf({
  defaultWorkspace,
  name,
  ...times
}: LocalFilterFlags): readonly LocalFilter[] {
  const filters = [...timeFiltersOf(times), ...(defaultWorkspace ? [inDefaultWorkspace] : [])];
  if (name === undefined) return filters;
  if (name === '' || name.length > MAX_PATTERN)
    throw new UsageError(`--name: must be a pattern of 1 to ${MAX_PATTERN} characters`);
  refuseFullKey('--name', name.replaceAll(/[*?]/g, ''), 'a name');
  const isMatch = nameGlob(name);
  return [...filters, key => isMatch(key.name)];
}

function timeFiltersOf({ expired, expiresWithin, unusedFor }: TimeFlags): LocalFilter[] {
  const now = Date.now();
  const ms = (option: string, text: string) => Number(durationOf(option, text) / 1_000n);
  const filters = [
    expired && timeFilters.expired(now),
    expiresWithin !== undefined && timeFilters.expires_within(now, ms('--expires-within', expiresWithin)),
    unusedFor !== undefined && timeFilters.unused_for(now, ms('--unused-for', unusedFor)),
  ];
  return filters.filter(each => typeof each === 'function');
}
