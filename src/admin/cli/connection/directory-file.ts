import { Option } from 'commander';
import { UsageError } from '../../../shared/command/command.ts';
import { textOfOption } from '../../../shared/command/input/text-of-file.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { coverageText, type Directory } from '../../directory/directory.ts';
import { parseDirectory } from '../../directory/parse-directory.ts';
import { profileNameOf, readProfile } from './profiles.ts';

export interface DirectoryFlags {
  readonly directory?: string;
  readonly profile?: string;
  readonly baseUrl?: string;
}

export const directoryOption = () =>
  new Option(
    '--directory <file>',
    "people and workspaces by ID, CSV or JSON; nothing of it is sent (default: the profile's)",
  );

/** `undefined`: neither the option nor the profile names one. That of a profile isn't for another service. */
export function directoryOf({ directory, profile, baseUrl }: DirectoryFlags): Directory | undefined {
  const isElsewhere = profile === undefined && baseUrl !== undefined;
  const file = directory ?? (isElsewhere ? undefined : readProfile(profileNameOf(profile))?.directory);
  return file === undefined ? undefined : readDirectory(file).directory;
}

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
