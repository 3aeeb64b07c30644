import type { Client } from 'pg';
import type { Actor } from '../roster/actor.ts';
import type { DeclaredField } from '../roster/declared-fields.ts';
import { refuseCopy } from '../roster/identity.ts';
import type { StoreReader } from '../roster/pages/reader.ts';
import type { OperatorReader, RosterWriter } from '../roster/roster.ts';
import { WorkUntilClose } from '../roster/work-until-close.ts';
import { readinessOf } from './check/readiness.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { hasCitus } from './distribution/state.ts';
import { explainTimeout, orRefused, RUN_AGAIN } from './errors.ts';
import { confirmRestore, identityOf } from './identity.ts';
import { OperatorConnection } from './operator-connection.ts';
import { cachedAdminKeys } from './pages/cached-admin-keys.ts';
import { findAdminKey } from './pages/find-admin-key.ts';
import { listApiKeys } from './pages/list-api-keys.ts';
import { ReadPool } from './pages/read-pool.ts';
import { readSnapshot } from './read-snapshot.ts';
import { inRetriedTransaction, inTransaction, repeated } from './transaction.ts';
import { listFields, pageTable } from './vendor-table/own-table.ts';
import { copyAdminKeys, listAdminKeys, rotateAdminKey } from './writes/admin-keys.ts';
import { type Act, actsOf, listAuditEntries } from './writes/audit-log.ts';
import { addField, removeField } from './writes/change-fields.ts';
import { deleteNext, findContents } from './writes/delete-organization.ts';
import { importApiKeys } from './writes/import/import-api-keys.ts';
import { listImports, revertImport } from './writes/imports.ts';
import { issuerStoreOf, methodsOf } from './writes/issuer-store.ts';
import {
  disableOrganization,
  enableOrganization,
  findOrganization,
  listOrganizations,
  renameOrganization,
} from './writes/organizations.ts';

/**
 * Opens the store for the service, over read-only connections. An admin key is cached for so long; 0: admin keys aren't cached. Throws
 * `Refused`.
 */
export async function openReader(url: PostgresUrl, adminKeyCacheSeconds: number): Promise<StoreReader> {
  const connection = new OperatorConnection(url, 'read');
  const pool = await poolBy(connection, url);
  try {
    const client = await connection.client();
    refuseCopy(await orRefused(() => identityOf(client), RUN_AGAIN));
  } catch (error) {
    await pool.close();
    throw error;
  } finally {
    await connection.close();
  }
  return cachedAdminKeys(readerOf(pool), adminKeyCacheSeconds);
}

/** Opens the store for the operator's commands that only read. Throws `Refused`. */
export async function openOperatorReader(url: PostgresUrl): Promise<OperatorReader> {
  const connection = new OperatorConnection(url, 'read');
  return operatorReads(url, await poolBy(connection, url), new WorkUntilClose(), connection);
}

/** Opens the store for the operator's commands and for issuers. Throws `Refused`. */
export async function openWriter(url: PostgresUrl, actor: Actor): Promise<RosterWriter> {
  const connection = new OperatorConnection(url, 'write');
  const work = new WorkUntilClose();
  const recorded = actsOf<Client>(actor, (once, method) => {
    const attempt = async () => inTransaction(await connection.client(), once);
    if (method === 'addField' || method === 'removeField') return inStep(connection, once);
    // The source of an import can't be read again. It begins a part of its work again itself.
    return method === 'importApiKeys' ? attempt() : repeated(attempt);
  });
  const act: Act<Client> = (...args) => orRefused(() => work.run(() => recorded(...args)));
  const pool = await poolBy(connection, url);
  /** The next page of this writer has what it changed, and not what was known a second ago. */
  const changed = async (field: Promise<DeclaredField>) => {
    await field;
    await pool.table.refresh().catch(() => {}); // it is done, whether or not the connection works
    return field;
  };
  return {
    ...operatorReads(url, pool, work, connection),
    ...issuerStoreOf(act),
    ...methodsOf(act, {
      renameOrganization,
      disableOrganization,
      enableOrganization,
      deleteNext,
      copyAdminKeys,
      rotateAdminKey,
      importApiKeys: (client, ...args) => importApiKeys(client, ...args, actor),
      revertImport,
      confirmRestore,
    }),
    addField: (...args) => changed(act('addField', args, client => addField(client, ...args))),
    removeField: (...args) => changed(act('removeField', args, client => removeField(client, ...args))),
  };
}

/** What the operator's commands read: pages as the service does, and the rest over one connection. */
function operatorReads(
  url: PostgresUrl,
  pool: ReadPool,
  work: WorkUntilClose,
  connection: OperatorConnection,
): OperatorReader {
  const reader = readerOf(pool);
  const read = <T>(query: (client: Client) => Promise<T>) =>
    orRefused(() => work.run(async () => query(await connection.client())), RUN_AGAIN);
  return {
    ...reader,
    listApiKeys: (...args) => reader.listApiKeys(...args).catch(explainTimeout),
    listOrganizations: (...args) => read(client => listOrganizations(client, ...args)),
    findOrganization: id => read(client => findOrganization(client, id)),
    findContents: id => read(client => findContents(client, id)),
    listAdminKeys: (...args) => read(client => listAdminKeys(client, ...args)),
    listFields: () => read(listFields),
    listImports: (...args) => read(client => listImports(client, ...args)),
    readSnapshot: read => work.run(() => readSnapshot(url, read)),
    listAuditEntries: (...args) => read(client => listAuditEntries(client, ...args)),
    close: () =>
      work.close(async () => {
        await reader.close();
        await connection.close();
      }),
  };
}

/** For what changes the table itself: while it waits for the lock of all pages, it must not hold them up. */
async function inStep<T>(connection: OperatorConnection, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connection.client();
  return inRetriedTransaction(
    client,
    () => {},
    () => work(client),
  );
}

/** Leaves no connection open when it fails. */
async function poolBy(connection: OperatorConnection, url: PostgresUrl): Promise<ReadPool> {
  try {
    const client = await connection.client();
    const look = async () => ({ hasCitus: await hasCitus(client), table: await pageTable(client) });
    return new ReadPool(url, await orRefused(look, RUN_AGAIN));
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function readerOf(pool: ReadPool): StoreReader {
  return {
    listApiKeys: (organization, query) => listApiKeys(pool, organization, query),
    findAdminKey: (digest, at) => findAdminKey(pool, digest, at),
    listFields: async () => (await pool.table.current()).fields,
    checkReadiness: readinessOf(pool),
    close: () => pool.close(),
  };
}
