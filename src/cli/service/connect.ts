/** The client's side of the command line: what it asks of a service over HTTP. */
import { Option } from 'commander';
import { InvalidOptionError, KeyrosterClient } from '../../client/client.ts';
import { DEFAULT_VENDOR } from '../../roster/vendor.ts';
import { isThisMachine } from '../../this-machine.ts';
import { vendorOf } from '../options/shared-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { printError } from '../terminal/print.ts';
import { adminKeyFileOption, readAdminKey } from './admin-key-source.ts';

const DEFAULT_BASE_URL = 'http://127.0.0.1:8080';

/** For every command that calls a service. None has a default of its own: `connect` decides between all sources of a setting. */
export const serviceOptions = () => [
  new Option('--base-url <url>', `the service (default: ${DEFAULT_BASE_URL})`).env('KEYROSTER_BASE_URL'),
  adminKeyFileOption(),
  new Option(
    '--vendor <name>',
    `the service maker: prefix of the version header (default: ${DEFAULT_VENDOR})`,
  ).env('KEYROSTER_VENDOR'),
];

export interface ServiceFlags {
  readonly baseUrl?: string;
  readonly adminKeyFile?: string;
  readonly vendor?: string;
}

export async function connect({
  baseUrl = DEFAULT_BASE_URL,
  adminKeyFile,
  vendor = DEFAULT_VENDOR,
}: ServiceFlags): Promise<KeyrosterClient> {
  return clientOf('--base-url', baseUrl, vendorOf(vendor), await readAdminKey(adminKeyFile));
}

/** The option is the one that the base URL came from, for a message. Warns when the admin key would go over plain HTTP. */
export function clientOf(option: string, baseUrl: string, vendor: string, adminKey: string): KeyrosterClient {
  try {
    const client = new KeyrosterClient({ baseUrl, adminKey, vendor });
    const { protocol, hostname } = new URL(baseUrl);
    if (protocol === 'http:' && !isThisMachine(hostname))
      printError(`warning: ${option}: the admin key and the roster aren't encrypted on the way: use https`);
    return client;
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    const names: Readonly<Record<string, string>> = { baseUrl: option, adminKey: 'the admin key' };
    throw new UsageError(`${names[error.option] ?? error.option}: ${error.rule}`);
  }
}
