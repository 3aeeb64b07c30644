/** The client's side of the command line: what it asks of a service over HTTP. */
import { type Command, Option } from 'commander';
import { InvalidOptionError, KeyrosterClient } from '../../../client/client.ts';
import { DEFAULT_VERSION } from '../../../client/options.ts';
import { UsageError } from '../../../shared/command/command.ts';
import { required, vendorOf } from '../../../shared/command/options.ts';
import { printError } from '../../../shared/command/terminal/print.ts';
import { neverShow } from '../../../shared/command/terminal/shown.ts';
import { parseDuration } from '../../../shared/record/duration.ts';
import { DEFAULT_VENDOR } from '../../../shared/record/vendor.ts';
import { isThisMachine } from '../../../shared/this-machine.ts';
import { adminKeyFileOption, givenAdminKey, promptForAdminKey } from './admin-key-source.ts';
import {
  profileNameOf,
  profileOption,
  readProfile,
  type ServiceSettings,
  unknownProfile,
} from './profiles.ts';
import { type Route, routeTo } from './proxy.ts';

const DEFAULT_TIMEOUT = '10s';
/** Longer than any answer takes. */
const MAX_TIMEOUT_MS = 24 * 3_600_000;

/** For every command that calls a service. None has a default of its own: `connect` decides between all sources of a setting. */
export const serviceOptions = () => [
  profileOption(),
  new Option('--base-url <url>', "the service (default: the profile's)").env('KEYROSTER_BASE_URL'),
  adminKeyFileOption(),
  new Option(
    '--vendor <name>',
    `the service maker: prefix of the version header (default: the profile's, else ${DEFAULT_VENDOR})`,
  ).env('KEYROSTER_VENDOR'),
  new Option(
    '--api-version <version>',
    `the version header's value (default: the profile's, else ${DEFAULT_VERSION})`,
  ).env('KEYROSTER_API_VERSION'),
  new Option('--timeout <duration>', `how long one attempt may take (default: ${DEFAULT_TIMEOUT})`),
];

export interface ServiceFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly adminKeyFile?: string;
  readonly vendor?: string;
  readonly apiVersion?: string;
  readonly timeout?: string | undefined;
  /** Of the commands that can ask several. */
  readonly allProfiles?: true;
}

/** For the commands that can ask several. */
export const severalOptions = () => [
  ...serviceOptions(),
  new Option('--all-profiles', 'asks the services of all profiles, as -p a,b those of two'),
];

export interface Service extends Route {
  readonly client: KeyrosterClient;
  /** Where several are asked. */
  readonly profile?: string;
}

/** @param patience where another number of retries than the client's is meant. */
export async function connect(
  flags: ServiceFlags,
  patience: Pick<ClientSettings, 'retries'> = {},
): Promise<Service> {
  const timeoutMs = timeoutOf(flags);
  const given = await givenAdminKey(flags.adminKeyFile);
  const { baseUrl, vendor, version, adminKey } = settingsOf(flags, given !== undefined);
  if (adminKey !== undefined) neverShow(adminKey);
  return serviceOf({
    baseUrl,
    vendor,
    version,
    timeoutMs,
    ...patience,
    adminKey: given ?? adminKey ?? (await promptForAdminKey()),
  });
}

/** A profile's vendor, version and admin key are only for its own base URL: another service must not get that key. */
function settingsOf(
  { profile: profileName, baseUrl, vendor: vendorText, apiVersion }: ServiceFlags,
  hasAdminKey: boolean,
): Omit<ServiceSettings, 'adminKey'> & { readonly adminKey?: string } {
  const vendor = vendorText === undefined ? undefined : vendorOf(vendorText);
  const name = profileNameOf(profileName);
  const needsNone = profileName === undefined && baseUrl !== undefined && hasAdminKey;
  const profile = needsNone ? undefined : readProfile(name);
  if (profile === undefined && profileName !== undefined)
    throw unknownProfile(name, `; keyroster-admin login -p ${name} makes it`);
  const elsewhere = { vendor: vendor ?? DEFAULT_VENDOR, version: apiVersion };
  if (profile === undefined) return { baseUrl: requireBaseUrl(baseUrl), ...elsewhere };
  if (baseUrl === undefined || isSameAddress(baseUrl, profile.baseUrl))
    return { ...profile, vendor: vendor ?? profile.vendor, version: apiVersion ?? profile.version };
  if (!hasAdminKey)
    throw new UsageError(
      `--base-url: isn't that of the profile ${name}, whose admin key is for no other service: give the key of this one too`,
    );
  return { baseUrl, ...elsewhere };
}

/** There is no default: the admin key would go to whoever has that port. */
export function requireBaseUrl(baseUrl: string | undefined): string {
  const rule =
    'the address of the service is required: set KEYROSTER_BASE_URL, or keep it with keyroster-admin login --base-url URL';
  return required('--base-url', baseUrl, rule);
}

function isSameAddress(one: string, other: string): boolean {
  const parts = [one, other].map(text => URL.parse(text)?.href.replace(/\/+$/, ''));
  return parts[0] !== undefined && parts[0] === parts[1];
}

/** In milliseconds. */
export const timeoutOf = ({ timeout = DEFAULT_TIMEOUT }: ServiceFlags) => timeOf('--timeout', timeout);

/** In milliseconds. */
export function timeOf(option: string, text: string): number {
  const ms = Number((parseDuration(text) ?? 0n) / 1_000n);
  const allowed = ms >= 1 && ms <= MAX_TIMEOUT_MS ? ms : undefined;
  return required(option, allowed, 'must be a whole number with a unit of s, m or h, from 1s to 24h');
}

interface ClientSettings extends ServiceSettings {
  readonly timeoutMs?: number;
  readonly retries?: number;
}

const SOURCES: Readonly<Record<string, string>> = {
  baseUrl: '--base-url',
  adminKey: 'the admin key',
  version: '--api-version',
};

/** The option is the one that the base URL came from, for a message. Warns when the admin key would go over plain HTTP. */
export function serviceOf(settings: ClientSettings): Service {
  try {
    new KeyrosterClient(settings); // checks the settings
    const baseUrl = new URL(settings.baseUrl);
    const { protocol, hostname } = baseUrl;
    if (protocol === 'http:' && !isThisMachine(hostname))
      printError(`warning: --base-url: the admin key and the roster aren't encrypted on the way: use https`);
    const { fetch, ...route } = routeTo(baseUrl);
    return { ...route, client: new KeyrosterClient({ ...settings, fetch }) };
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    throw new UsageError(`${SOURCES[error.option] ?? error.option}: ${error.rule}`);
  }
}

/** Throws a `UsageError` where such an option is given to a command that won't call a service. A variable may be there for others. */
export function refuseServiceOptions(command: Command, problem: string): void {
  const given = severalOptions().find(
    option => command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given) throw new UsageError(`${given.long}: ${problem}`);
}
