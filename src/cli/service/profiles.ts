/** What `login` keeps of a service: a file for each profile, which only its owner may read, since the admin key is in it. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Option } from 'commander';
import { Refused } from '../../roster/errors.ts';
import { parseVendor, type Vendor } from '../../roster/vendor.ts';
import { required } from '../options/shared-options.ts';

export interface Profile {
  readonly baseUrl: string;
  readonly vendor: Vendor;
  readonly adminKey: string;
}

/** A part of a file's name: without a dot or a slash. */
export type ProfileName = string & { readonly kind: 'ProfileName' };

const NAME = '[A-Za-z0-9][A-Za-z0-9_-]{0,31}';
const wholeName = new RegExp(`^${NAME}$`);
const fileName = new RegExp(`^(${NAME})\\.json$`);
const DEFAULT_NAME = 'default' as ProfileName;

export const profileOption = () =>
  new Option('-p, --profile <name>', `what \`login\` keeps of a service (default: ${DEFAULT_NAME})`).env(
    'KEYROSTER_PROFILE',
  );

/** The one that is used where the option has this value. */
export function profileNameOf(given: string | undefined): ProfileName {
  if (given === undefined) return DEFAULT_NAME;
  const name = wholeName.test(given) ? (given as ProfileName) : undefined;
  return required('--profile', name, 'must be 1 to 32 of A-Z a-z 0-9 _ -, starting with a letter or a digit');
}

export const fileOf = (name: ProfileName) => join(folder(), `${name}.json`);

/** `undefined` when there is none. */
export function readProfile(name: ProfileName): Profile | undefined {
  if (configFolder() === undefined) return undefined;
  const file = fileOf(name);
  try {
    const { mode } = statSync(file);
    // Windows has no such modes.
    if (process.platform !== 'win32' && (mode & 0o077) !== 0)
      throw new Refused(`others can read or write ${file}, which has an admin key: chmod 600 ${file}`);
    return parseProfile(readFileSync(file, 'utf8'), file, name);
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Refused(`the profile ${name}: can't read ${file}: ${message}`, { cause: error });
  }
}

/** The error of a text that isn't JSON would repeat a part of it. */
function parseProfile(text: string, file: string, name: ProfileName): Profile {
  const { base_url, vendor: vendorText, admin_key } = Object(jsonOf(text));
  const vendor = parseVendor(vendorText);
  if (typeof base_url !== 'string' || typeof admin_key !== 'string' || vendor === undefined)
    throw new Refused(
      `${file} isn't a profile with base_url, vendor and admin_key: keyroster login -p ${name}`,
    );
  return { baseUrl: base_url, vendor, adminKey: admin_key };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whole or not at all: it is written under another name first. Of two at once the later one stays. Returns the file. */
export function writeProfile(name: ProfileName, { baseUrl, vendor, adminKey }: Profile): string {
  const file = fileOf(name);
  try {
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    removeLeftOvers(name);
    const text = `${JSON.stringify({ base_url: baseUrl, vendor, admin_key: adminKey }, null, 2)}\n`;
    replace(file, text, join(folder(), temporaryName(name, process.pid)));
    return file;
  } catch (error) {
    throw new Refused(`the profile ${name} isn't kept: can't write ${file}: ${(error as Error).message}`, {
      cause: error,
    });
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

export function unknownProfile(name: ProfileName): Refused {
  const names = profileNames();
  const known = names.length === 0 ? 'there are no profiles' : `the profiles are ${names.join(', ')}`;
  return new Refused(`there is no profile ${name}: ${known}; keyroster login -p ${name} makes it`);
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
