/** What `login` keeps of a service: a file for each profile, which only its owner may read, since the admin key is in it. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Option } from 'commander';
import { KeyrosterClient } from '../../../client/client.ts';
import { UsageError } from '../../../shared/command/command.ts';
import { required } from '../../../shared/command/options.ts';
import { makePrivateFolder } from '../../../shared/files.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { parseVendor, type Vendor } from '../../../shared/record/vendor.ts';
import { writePrivately } from '../private-file.ts';

/** The paths of files of people and workspaces; of `everyone`, of one that has everybody. */
export interface PeoplePaths {
  readonly directory?: readonly string[] | undefined;
  readonly everyone?: string | undefined;
}

export interface ServiceSettings {
  readonly baseUrl: string;
  readonly vendor: Vendor;
  readonly adminKey: string;
  /** Of the API; absent: the default. */
  readonly version?: string | undefined;
}

export type Profile = ServiceSettings & PeoplePaths;

/** A part of a file's name: without a dot or a slash. */
export type ProfileName = string & { readonly kind: 'ProfileName' };

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;
const DEFAULT_NAME = 'default' as ProfileName;

export const profileOption = () =>
  new Option('-p, --profile <name>', `what \`login\` keeps of a service (default: ${DEFAULT_NAME})`).env(
    'KEYROSTER_PROFILE',
  );

/** The one that is used where the option has this value. */
export function profileNameOf(given: string = DEFAULT_NAME): ProfileName {
  const name = NAME.test(given) ? (given as ProfileName) : undefined;
  return required(
    '--profile',
    name,
    'must be 1 to 32 of A-Z a-z 0-9 _ -, starting with a letter or a digit; list, report and find take several names',
  );
}

/** Those of `--all-profiles` or of `-p a,b`; `undefined`: one service is asked. Throws a `UsageError`. */
export function severalProfiles(flags: { profile?: string; allProfiles?: true }): ProfileName[] | undefined {
  const { profile = '', allProfiles } = flags;
  if (!allProfiles)
    return profile.includes(',') ? [...new Set(profile.split(',').map(profileNameOf))] : undefined;
  const names = profileNames();
  if (names.length > 0) return names;
  throw new UsageError('--all-profiles: there are no profiles: keyroster-admin login -p NAME makes one');
}

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
    if (noSuchFile(error)) return undefined;
    throw refusalOf(error, `the profile ${name}: can't read ${file}`);
  }
}

/** The error of a text that isn't JSON would repeat a part of it. */
function parseProfile(text: string, file: string, name: ProfileName): Profile {
  try {
    const {
      base_url: baseUrl,
      admin_key: adminKey,
      version,
      directory,
      everyone,
      ...kept
    } = JSON.parse(text);
    const vendor = parseVendor(kept.vendor);
    if (vendor === undefined) throw new TypeError('no vendor');
    const paths: readonly unknown[] = [directory ?? [], everyone ?? []].flat();
    if (paths.some(path => typeof path !== 'string')) throw new TypeError('no path');
    new KeyrosterClient({ baseUrl, vendor, version, adminKey }); // checks the settings
    return { baseUrl, vendor, version, adminKey, directory: directory && [directory].flat(), everyone };
  } catch {
    throw new Refused(
      `${file} isn't a profile with base_url, vendor and admin_key that a client takes: keyroster-admin login -p ${name}`,
    );
  }
}

/** Of two at once the later one stays. Returns the file. */
export async function writeProfile(name: ProfileName, profile: Profile): Promise<string> {
  const { baseUrl, vendor, version, adminKey, directory, everyone } = profile;
  const file = fileOf(name);
  const kept = { base_url: baseUrl, vendor, version, admin_key: adminKey, directory, everyone };
  const text = `${JSON.stringify(kept, null, 2)}\n`;
  try {
    makePrivateFolder(folder());
    await writePrivately(file, [text]);
    return file;
  } catch (error) {
    const { message } = error as Error;
    const reason = error instanceof Refused ? message : `can't write ${file}: ${message}`;
    throw new Refused(`the profile ${name} isn't kept: ${reason}`, { cause: error });
  }
}

/** Returns the file that is gone. It need not be readable. */
export function removeProfile(name: ProfileName): string {
  const file = fileOf(name);
  try {
    for (const left of readdirSync(folder()).filter(each => each.startsWith(`.${name}.json.`)))
      rmSync(join(folder(), left), { force: true }); // of a login that was killed
    rmSync(file);
    return file;
  } catch (error) {
    throw noSuchFile(error) ? unknownProfile(name) : refusalOf(error, `can't remove ${file}`);
  }
}

export function profileNames(): ProfileName[] {
  try {
    const names = readdirSync(folder()).map(file => /^(.*)\.json$/.exec(file)?.[1] ?? '');
    return names.filter(name => NAME.test(name)).toSorted() as ProfileName[];
  } catch (error) {
    if (noSuchFile(error)) return [];
    throw refusalOf(error, "can't read the folder of profiles");
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

function refusalOf(error: unknown, what: string): Refused {
  if (error instanceof Refused) return error;
  return new Refused(`${what}: ${(error as Error).message}`, { cause: error });
}

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
