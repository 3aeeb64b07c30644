/** The client's side of the command line: what it asks of a service over HTTP. */
import { setFlagsFromString } from 'node:v8';
import { Option } from 'commander';
import {
  type ApiKeyPage,
  InvalidOptionError,
  KeyrosterClient,
  type ListParameters,
} from '../../client/client.ts';
import { Refused } from '../../roster/errors.ts';
import { isThisMachine } from '../../this-machine.ts';
import { vendorOf } from '../options/shared-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { printError } from '../terminal/print.ts';
import { readAdminKey } from './admin-key-source.ts';

export const baseUrlOption = () =>
  new Option('--base-url <url>', 'the service').env('KEYROSTER_BASE_URL').default('http://127.0.0.1:8080');

export interface ServiceFlags {
  readonly baseUrl: string;
  readonly adminKeyFile?: string;
  readonly vendor: string;
}

export async function connect({ baseUrl, adminKeyFile, vendor }: ServiceFlags): Promise<KeyrosterClient> {
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

/** Keys per page of a walk. Larger pages are hardly faster, and take more memory. */
export const WALK_LIMIT = 500;

/**
 * Reads all pages, and checks each record: another service may not keep to docs/api.md#the-record. Statuses and fields that are
 * unknown here are shown: a newer service has them.
 *
 * A walk makes garbage as fast as pages come, and V8 prefers to grow the heap: to 250 MB for a million keys, where half
 * would do. The flag makes it collect sooner. It takes effect although the heap is in use already.
 */
export async function* pagesOf(
  client: KeyrosterClient,
  query: ListParameters,
): AsyncGenerator<ApiKeyPage, void> {
  setFlagsFromString('--optimize-for-size');
  for await (const page of client.apiKeys.pages(query)) {
    yield checked(page);
  }
}

export function checked(page: ApiKeyPage): ApiKeyPage {
  for (const record of page.data) {
    const { name, created_at, created_by, partial_key_hint, status, workspace_id } = record;
    const texts = {
      name,
      created_at,
      'created_by.id': created_by?.id,
      'created_by.type': created_by?.type,
      partial_key_hint,
      status,
      workspace_id: workspace_id === null ? '' : workspace_id, // null is the default workspace
    };
    for (const [field, value] of Object.entries<unknown>(texts)) {
      if (value === undefined) throw new Refused(`the service lists ${record.id} without ${field}`);
      if (typeof value !== 'string')
        throw new Refused(`the service lists ${record.id} with a ${field} that is not a text`);
    }
  }
  return page;
}
