import { Option } from 'commander';
import { UsageError } from '../../../shared/command/command.ts';
import { folded } from '../../find/folded.ts';
import { inDefaultWorkspace, type LocalFilter } from '../../find/local-filter.ts';
import { nameGlob } from '../../report/name-glob.ts';

/** The values of the flags that were given. */
export interface LocalFilterFlags {
  readonly defaultWorkspace?: true;
  readonly name?: string;
}

export const localFilterOptions = () => [
  new Option('--default-workspace', 'only keys of the default workspace').conflicts('workspace'),
  new Option(
    '--name <pattern>',
    'only keys with such a name: * is any text, ? any character; case makes no difference',
  ),
];

/** A pattern is compared with each name: a longer one is no name. */
const MAX_PATTERN = 1_000;

/** Throws a `UsageError` for a value that breaks its rule. */
export function localFiltersOf({ defaultWorkspace, name }: LocalFilterFlags): readonly LocalFilter[] {
  const filters = defaultWorkspace ? [inDefaultWorkspace] : [];
  if (name === undefined) return filters;
  if (name === '' || name.length > MAX_PATTERN)
    throw new UsageError(`--name: must be a pattern of 1 to ${MAX_PATTERN} characters`);
  const isMatch = nameGlob(folded(name));
  return [...filters, key => isMatch(folded(key.name))];
}
