/** What `login` keeps of a service: a file for each profile, which only its owner may read, since the admin key is in it. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { Refused } from '../../roster/errors.ts';
import { PROFILE_NAME, type Profile, type ProfileName, parseProfile, profileText } from './profile.ts';

const fileName = new RegExp(`^(${PROFILE_NAME})\\.json$`);

export const fileOf = (name: ProfileName) => join(folder(), `${name}.json`);

/** `undefined` when there is none. */
export function readProfile(name: ProfileName): Profile | undefined {
  if (configFolder() === undefined) return undefined;
  const file = fileOf(name);
  try {
    const stats = statSync(file);
    if (!stats.isFile()) throw new Refused(`${file} isn't a regular file`); // to read a FIFO could take for ever
    // Windows has no such modes.
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
      throw new Refused(`others can read or write ${file}, which has an admin key: chmod 600 ${file}`);
    return parseProfile(readFileSync(file, 'utf8'), file, name);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Refused(`the profile ${name}: can't read ${file}: ${message}`, { cause: error });
  }
}

/** Whole or not at all: it is written under another name first. Of two at once the later one stays. Returns the file. */
export function writeProfile(name: ProfileName, profile: Profile): string {
  const file = fileOf(name);
  try {
    makeFolders(folder());
    removeLeftOvers(name);
    replace(file, profileText(profile), join(folder(), temporaryName(name, process.pid)));
    return file;
  } catch (error) {
    throw new Refused(`the profile ${name} isn't kept: can't write ${file}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** One by one: with `recursive`, Node never comes back where a file system lets nobody make one, as /proc. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another login may be faster
  }
}

function replace(file: string, text: string, temporary: string): void {
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Returns the file that is gone. It need not be readable. */
export function removeProfile(name: ProfileName): string {
  const file = fileOf(name);
  try {
    removeLeftOvers(name);
    rmSync(file);
    return file;
  } catch (error) {
    throw noSuchFile(error)
      ? unknownProfile(name)
      : new Refused(`can't remove ${file}: ${(error as Error).message}`);
  }
}

export function profileNames(): ProfileName[] {
  try {
    const names = readdirSync(folder()).flatMap(file => fileName.exec(file)?.[1] ?? []);
    return names.toSorted() as ProfileName[];
  } catch (error) {
    if (noSuchFile(error)) return [];
    if (error instanceof Refused) throw error;
    throw new Refused(`can't read the folder of profiles: ${(error as Error).message}`, { cause: error });
  }
}

/** @param advice what else to do. */
export function unknownProfile(name: ProfileName, advice = ''): Refused {
  const names = profileNames();
  const known = names.length === 0 ? 'there are no profiles' : `the profiles are ${names.join(', ')}`;
  return new Refused(`there is no profile ${name}: ${known}${advice}`);
}

const noSuchFile = (error: unknown) =>
  ['ENOENT', 'ENOTDIR'].includes(String((error as { code?: unknown }).code));

function folder(): string {
  const config = configFolder();
  if (config !== undefined) return join(config, 'keyroster', 'profiles');
  throw new Refused('there is no folder for profiles: set HOME or XDG_CONFIG_HOME to an absolute path');
}

/** https://specifications.freedesktop.org/basedir: a path that isn't absolute is ignored. */
function configFolder(): string | undefined {
  const { XDG_CONFIG_HOME = '' } = process.env;
  if (isAbsolute(XDG_CONFIG_HOME)) return XDG_CONFIG_HOME;
  try {
    return isAbsolute(homedir()) ? join(homedir(), '.config') : undefined;
  } catch {
    return undefined; // a user without an entry in the system's list, as in a container
  }
}

/** No name of a profile begins with a dot. */
const temporaryName = (name: ProfileName, pid: number) => `.${name}.${pid}.tmp`;

/** What a `login` that was killed while it wrote has left. */
function removeLeftOvers(name: ProfileName): void {
  for (const entry of readdirSync(folder())) {
    const [, pid] = /^\.[^.]+\.(\d{1,10})\.tmp$/.exec(entry) ?? [];
    if (pid === undefined || entry !== temporaryName(name, Number(pid))) continue;
    if (Number(pid) === process.pid || !isRunning(Number(pid)))
      rmSync(join(folder(), entry), { force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
