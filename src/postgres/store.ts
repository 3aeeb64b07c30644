import type { Client } from 'pg';
import type { Actor } from '../roster/actor.ts';
import { StoreUnavailable } from '../roster/errors.ts';
import type { RosterWriter, StoreReader } from '../roster/roster.ts';
import { WorkUntilClose } from '../roster/work-until-close.ts';
import { createAdminKeys, listAdminKeys, recordAdminKeyUse, rotateAdminKey } from './admin-keys.ts';
import { type Act, actsOf, listAuditEntries } from './audit-log.ts';
import { disableOrganization, enableOrganization, renameOrganization } from './change-organization.ts';
import { checkReadiness, plansReadiness } from './check/readiness.ts';
import { ReplayLag } from './check/replay-lag.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { deleteNext, findContents } from './delete-organization.ts';
import { orRefused, RUN_AGAIN } from './errors.ts';
import { findAdminKey } from './find-admin-key.ts';
import { hasCitus } from './has-citus.ts';
import { importApiKeys } from './import/import-api-keys.ts';
import { issuerStoreOf } from './issuer-store.ts';
import { listApiKeys } from './list-api-keys.ts';
import { findOrganization, importOrganizations, listOrganizations } from './organizations.ts';
import { cachedAdminKeys } from './serving/cached-admin-keys.ts';
import { Lanes } from './serving/lanes.ts';
import { inTransaction, repeated } from './transaction.ts';
import { openCurrentSchema, WriterConnection } from './writer-connection.ts';

export interface ReaderOptions {
  /** How long an admin key is cached; 0: admin keys aren't cached. */
  readonly adminKeyCacheSeconds: number;
}

/** Opens the store for the service, over read-only connections. Throws `Refused`. */
export async function openReader(
  url: PostgresUrl,
  { adminKeyCacheSeconds }: ReaderOptions = { adminKeyCacheSeconds: 0 },
): Promise<StoreReader> {
  const lanes = await openLanes(url);
  const reader = readerOf(lanes);
  const checkPlans = plansReadiness(url, lanes);
  const checkReadiness = async () => [...(await checkPlans()), ...(await reader.checkReadiness())];
  return cachedAdminKeys({ ...reader, checkReadiness }, adminKeyCacheSeconds);
}

/** Opens the store for the operator's commands and for issuers. Throws `Refused`. */
export async function openWriter(url: PostgresUrl, actor: Actor): Promise<RosterWriter> {
  const connection = new WriterConnection(url);
  const work = new WorkUntilClose();
  const read = <T>(query: (client: Client) => Promise<T>) =>
    orRefused(() => work.run(async () => query(await connection.client())), RUN_AGAIN);
  const recorded = actsOf<Client>(actor, (once, method) => {
    const attempt = async () => inTransaction(await connection.client(), once);
    // The source of an import can't be read again. It begins a part of its work again itself.
    return method === 'importApiKeys' ? attempt() : repeated(attempt);
  });
  const act: Act<Client> = (...args) => orRefused(() => work.run(() => recorded(...args)));
  const reader = readerOf(new Lanes(url, { hasCitus: await hasCitus(await connection.client()) }));
  return {
    ...reader,
    ...issuerStoreOf(act),
    listApiKeys: (...args) => reader.listApiKeys(...args).catch(explainTimeout),
    listOrganizations: (...args) => read(client => listOrganizations(client, ...args)),
    importOrganizations: (...args) =>
      act('importOrganizations', args, client => importOrganizations(client, ...args)),
    findOrganization: id => read(client => findOrganization(client, id)),
    renameOrganization: (...args) =>
      act('renameOrganization', args, client => renameOrganization(client, ...args)),
    disableOrganization: (...args) =>
      act('disableOrganization', args, client => disableOrganization(client, ...args)),
    enableOrganization: (...args) =>
      act('enableOrganization', args, client => enableOrganization(client, ...args)),
    findContents: id => read(client => findContents(client, id)),
    deleteNext: (...args) => act('deleteNext', args, client => deleteNext(client, ...args)),
    createAdminKeys: (...args) => act('createAdminKeys', args, client => createAdminKeys(client, ...args)),
    listAdminKeys: (...args) => read(client => listAdminKeys(client, ...args)),
    rotateAdminKey: (...args) => act('rotateAdminKey', args, client => rotateAdminKey(client, ...args)),
    recordAdminKeyUse: (...args) =>
      act('recordAdminKeyUse', args, client => recordAdminKeyUse(client, ...args)),
    importApiKeys: (...args) => act('importApiKeys', args, client => importApiKeys(client, ...args)),
    listAuditEntries: (...args) => read(client => listAuditEntries(client, ...args)),
    close: () =>
      work.close(async () => {
        await reader.close();
        await connection.close();
      }),
  };
}

/** Pages of a command have the service's limit: one over which `serve` would fail isn't listed by a command either. */
function explainTimeout(error: unknown): never {
  const { cause } = error as { cause?: { code?: unknown } };
  if (error instanceof StoreUnavailable && cause?.code === QUERY_CANCELED)
    throw new StoreUnavailable(SLOW_PAGE, { cause });
  throw error;
}

/** SQLSTATE of a statement that `statement_timeout` ended. */
const QUERY_CANCELED = '57014';
const SLOW_PAGE =
  'PostgreSQL: a page took longer than the 5 s that it may take: "keyroster check" tells whether an index is missing; ' +
  'else run it again when PostgreSQL has less to do, or when what locks the table has ended';

async function openLanes(url: PostgresUrl): Promise<Lanes> {
  const client = await openCurrentSchema(url);
  try {
    return new Lanes(url, { hasCitus: await orRefused(() => hasCitus(client)) });
  } finally {
    await client.end();
  }
}

function readerOf(lanes: Lanes): StoreReader {
  const replayLag = new ReplayLag();
  return {
    listApiKeys: (organization, query) => listApiKeys(lanes, organization, query),
    findAdminKey: (digest, at) => findAdminKey(lanes.lookups, digest, at),
    checkReadiness: () => checkReadiness(lanes, replayLag),
    close: () => lanes.close(),
  };
}
