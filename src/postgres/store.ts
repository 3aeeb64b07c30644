import type { Client } from 'pg';
import type { Actor } from '../roster/actor.ts';
import type { RosterWriter, StoreReader } from '../roster/roster.ts';
import { WorkUntilClose } from '../roster/work-until-close.ts';
import { listAdminKeys, recordAdminKeyUse, rotateAdminKey } from './admin-keys.ts';
import { type Act, actsOf, listAuditEntries } from './audit-log.ts';
import { checkReadiness, plansReadiness } from './check/readiness.ts';
import { ReplayLag } from './check/replay-lag.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { orRefused, RUN_AGAIN } from './errors.ts';
import { explainTimeout } from './explain-timeout.ts';
import { findAdminKey } from './find-admin-key.ts';
import { hasCitus } from './has-citus.ts';
import { importApiKeys } from './import/import-api-keys.ts';
import { listImports } from './imports.ts';
import { issuerStoreOf } from './issuer-store.ts';
import { listApiKeys } from './list-api-keys.ts';
import { findOrganization, listOrganizations } from './organizations.ts';
import { feedApiKeys } from './put-api-keys.ts';
import { readSnapshot } from './read-snapshot.ts';
import { revertImport } from './revert-import.ts';
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
    findOrganization: id => read(client => findOrganization(client, id)),
    listAdminKeys: (...args) => read(client => listAdminKeys(client, ...args)),
    rotateAdminKey: (...args) => act('rotateAdminKey', args, client => rotateAdminKey(client, ...args)),
    recordAdminKeyUse: (...args) =>
      act('recordAdminKeyUse', args, client => recordAdminKeyUse(client, ...args)),
    importApiKeys: (...args) => act('importApiKeys', args, client => importApiKeys(client, ...args, actor)),
    feedApiKeys: lines => act('feedApiKeys', [lines], client => feedApiKeys(client, lines)),
    listImports: (...args) => read(client => listImports(client, ...args)),
    revertImport: (...args) => act('revertImport', args, client => revertImport(client, ...args)),
    readSnapshot: read => work.run(() => readSnapshot(url, read)),
    listAuditEntries: (...args) => read(client => listAuditEntries(client, ...args)),
    close: () =>
      work.close(async () => {
        await reader.close();
        await connection.close();
      }),
  };
}

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
