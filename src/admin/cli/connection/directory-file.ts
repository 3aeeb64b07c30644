import { Option } from 'commander';
import { UsageError } from '../../../shared/command/command.ts';
import { textOfOption } from '../../../shared/command/input/text-of-file.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { coverageText, Directory } from '../../directory/directory.ts';
import { parseDirectory } from '../../directory/parse-directory.ts';
import type { ServiceFlags } from './connect.ts';
import { profileNameOf, readProfile, severalProfiles } from './profiles.ts';

export interface DirectoryFlags extends Pick<ServiceFlags, 'profile' | 'allProfiles' | 'baseUrl'> {
  readonly directory?: string;
}

export const directoryOption = () =>
  new Option(
    '--directory <file>',
    "people and workspaces by ID, CSV or JSON; nothing of it is sent (default: the profile's)",
  );

/** `undefined`: neither the option nor a profile names one. That of a profile isn't for another service. */
export function directoryOf({ directory, ...flags }: DirectoryFlags): Directory | undefined {
  const { profile, baseUrl } = flags;
  const isElsewhere = profile === undefined && baseUrl !== undefined;
  const names = severalProfiles(flags) ?? (isElsewhere ? [] : [profileNameOf(profile)]);
  const kept =
    directory === undefined ? names.flatMap(name => readProfile(name)?.directory ?? []) : [directory];
  const [first, ...others] = [...new Set(kept)].map(file => readDirectory(file).directory);
  return first && others.reduce(joined, first);
}

/** It tells who has left if both do. */
const joined = (one: Directory, other: Directory) =>
  new Directory([...one.entries, ...other.entries], one.tellsLeft && other.tellsLeft);

/** Throws a `UsageError` that names each problem, and none of the values. */
export function readDirectory(
  file: string,
): Exclude<ReturnType<typeof parseDirectory>, { problems: unknown }> {
  const parsed = parseDirectory(textOfOption('--directory', file));
  if ('problems' in parsed) throw new UsageError(`--directory: ${file}: ${parsed.problems.join('; ')}`);
  return parsed;
}

/** For what only a directory tells. */
export function requireDirectory(directory: Directory | undefined, option: string): Directory {
  if (directory) return directory;
  throw new UsageError(
    `${option}: needs a directory, which has people by ID: give --directory FILE, or keep it by keyroster-admin login --directory FILE`,
  );
}

/** @param creatorIds of the keys that a command has seen. */
export function tellCoverage(directory: Directory | undefined, creatorIds: ReadonlySet<string>): void {
  if (directory && creatorIds.size > 0) printAtEnd(coverageText(directory.coverage(creatorIds)));
}
