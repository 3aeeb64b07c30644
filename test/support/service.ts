import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import { type AdminKey, newAdminKey } from '../../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../../src/service/roster/admin-key-secret.ts';
import { EMPTY_PAGE } from '../../src/service/roster/pages/joined-page.ts';
import type { StoreReader } from '../../src/service/roster/pages/reader.ts';
import { Service, type ServiceOptions } from '../../src/service/server/service.ts';
import { newId, type OrganizationId } from '../../src/shared/record/identifier.ts';
import { retryOverloaded } from './retry-overloaded.ts';
import { now, VENDOR } from './roster.ts';
import { atEndOf, type Scope } from './scope.ts';
import type { TestStore } from './stores.ts';

export type TestService = Awaited<ReturnType<typeof startService>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it
  readonly body: any;
}

/** Starts the service in this process, on a free port of the loopback interface. The caller closes the roster. */
export async function startService(
  roster: StoreReader,
  vendor = VENDOR,
  options: Partial<ServiceOptions> = {},
) {
  const lines: string[] = [];
  const log = { level: 'info', destination: { write: (line: string) => void lines.push(line) } } as const;
  const service = new Service({ roster, vendor, log, ...options });
  const url = await service.listen({ host: '127.0.0.1', port: 0 });
  /** Sends a `GET` to the operation with this admin key and query string (without the `?`). */
  const list = (secret: string, query = '') =>
    fetchJson(`${url}${LIST_API_KEYS_PATH}?${query}`, {
      'x-api-key': secret,
      [`${vendor}-version`]: '2023-06-01',
    });
  return {
    url,
    port: Number(new URL(url).port),
    /** Every log line so far, as one text. */
    logText: () => lines.join(''),
    list,
    /** As `list`, retried while the service sheds load. */
    listWithRetry: async (secret: string, query?: string) => {
      const answer = await retryOverloaded(() => list(secret, query));
      if (answer.status === 500) throw new Error(`a 500: ${lines.at(-2)}${lines.at(-1)}`);
      return answer;
    },
    close: () => service.close(),
  };
}

/** The service over a store that is read by it, until the scope's end. */
export async function serveStore(
  scope: Scope,
  store: Pick<TestStore, 'openReader'>,
  options: Partial<ServiceOptions> = {},
): Promise<TestService> {
  const reader = await store.openReader();
  atEndOf(scope, () => reader.close());
  const service = await startService(reader, VENDOR, options);
  atEndOf(scope, () => service.close());
  return service;
}

export async function fetchJson(url: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { headers });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** A roster with one admin key and no API keys, for tests in which the store doesn't matter. */
export function stubReader(methods: Partial<StoreReader> = {}, fields: Partial<AdminKey> = {}) {
  const secret = AdminKeySecret.issue(VENDOR);
  const organization = newId<OrganizationId>('org');
  const key: AdminKey = {
    ...newAdminKey(secret, { organizationId: organization, scope: null, name: 'test', createdAt: now() }),
    ...fields,
  };
  const reader: StoreReader = {
    listApiKeys: async () => EMPTY_PAGE,
    findAdminKey: async digest => (Buffer.compare(digest, key.digest) === 0 ? key : null),
    checkReadiness: async () => [],
    listFields: async () => [],
    close: async () => {},
    ...methods,
  };
  return { reader, secret: secret.reveal(), organization };
}
