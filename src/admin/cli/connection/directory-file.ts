import { Option } from 'commander';
import { UsageError } from '../../../shared/command/command.ts';
import { textOfOption } from '../../../shared/command/input/text-of-file.ts';
import { keepHeapSmall } from '../../../shared/command/small-heap.ts';
import { printAtEnd } from '../../../shared/command/terminal/print.ts';
import { coverageText, type Directory } from '../../directory/directory.ts';
import { textOfBytes } from '../../directory/file-text.ts';
import { type Joined, joinSteps } from '../../directory/join-files.ts';
import { type PeopleFile, type Problems, peopleSteps } from '../../directory/people-file.ts';
import { resultOf } from '../../directory/steps.ts';
import type { ServiceFlags } from './connect.ts';
import { type PeoplePaths, profileNameOf, readProfile, severalProfiles } from './profiles.ts';

export interface DirectoryFlags
  extends PeoplePaths,
    Pick<ServiceFlags, 'profile' | 'allProfiles' | 'baseUrl'> {}

export const directoryOptions = () => [
  new Option(
    '--directory <file>',
    "people and workspaces by ID, CSV or JSON; give it again for the company's own list, which is joined by mail address; nothing of it is sent (default: the profile's)",
  ).argParser((file, others: readonly string[] = []) => [...others, file]),
  new Option(
    '--everyone <file>',
    "as --directory, of everybody who is here: a user who isn't in it has left (default: the profile's)",
  ),
];

/** Is told of each file that is read, with its content, which it returns. */
export type Note = (option: string, file: string, bytes: Uint8Array) => Uint8Array;

/** `undefined`: neither the options nor a profile name one. Those of a profile aren't for another service. */
export function directoryOf(
  { directory, everyone, ...flags }: DirectoryFlags,
  note?: Note,
): Directory | undefined {
  const { profile, baseUrl } = flags;
  const isElsewhere = profile === undefined && baseUrl !== undefined;
  const names = severalProfiles(flags) ?? (isElsewhere ? [] : [profileNameOf(profile)]);
  const kept = directory ? [] : names.flatMap(name => readProfile(name) ?? []);
  const files = directory ?? kept.flatMap(each => each.directory ?? []);
  const paths = {
    directory: [...new Set(files)],
    everyone: everyone ?? kept.find(each => each.everyone)?.everyone,
  };
  const joined = readDirectory(paths, note);
  if (joined === undefined) return undefined;
  for (const line of [...(joined.gave.length > 1 ? joined.gave : []), ...joined.doubts]) printAtEnd(line);
  return joined.directory;
}

/** `undefined`: no file is named. Throws a `UsageError` that names each problem, and none of the values. */
export function readDirectory({ directory = [], everyone }: PeoplePaths, note?: Note): Joined | undefined {
  keepHeapSmall();
  const files = directory.map(file => readPeople('--directory', file, note));
  const ofEveryone = everyone === undefined ? undefined : readPeople('--everyone', everyone, note);
  const all = ofEveryone ? [...files, ofEveryone] : files;
  if (all.length === 0) return undefined;
  const joined = resultOf(joinSteps(all, ofEveryone));
  return usable('file' in joined && joined.file === everyone ? '--everyone' : '--directory', joined);
}

function readPeople(option: string, file: string, note?: Note): PeopleFile {
  const decode = (bytes: Uint8Array) => textOfBytes(note?.(option, file, bytes) ?? bytes);
  return usable(option, resultOf(peopleSteps(file, textOfOption(option, file, decode))));
}

function usable<Read extends object>(option: string, read: Read | Problems): Read {
  if (!('problems' in read)) return read;
  throw new UsageError(`${option}: ${read.file}: ${read.problems.join('; ')}`);
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
