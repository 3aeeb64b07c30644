import type { Client } from 'pg';
import type { Actor } from '../roster/actor.ts';
import type { RosterWriter, StoreReader } from '../roster/roster.ts';
import { WorkUntilClose } from '../roster/work-until-close.ts';
import { listAdminKeys, recordAdminKeyUse, rotateAdminKey } from './admin-keys.ts';
import { type Act, actsOf, listAuditEntries } from './audit-log.ts';
import { plansReadiness } from './check/readiness.ts';
import { shardReadiness } from './check/shard-readiness.ts';
import { orRefused } from './errors.ts';
import { findAdminKey } from './find-admin-key.ts';
import { importApiKeys } from './import-api-keys.ts';
import { issuerStoreOf } from './issuer-store.ts';
import { listApiKeys } from './list-api-keys.ts';
import { findOrganization, listOrganizations } from './organizations.ts';
import { checkReadiness } from './schema-version.ts';
import { cachedAdminKeys } from './serving/cached-admin-keys.ts';
import { PipelinedConnection } from './serving/pipelined-connection.ts';
import { inTransaction } from './transaction.ts';
import { openCurrentSchema, WriterConnection } from './writer-connection.ts';

export interface ReaderOptions {
  /** How long an admin key is cached; 0: admin keys aren't cached. */
  readonly adminKeyCacheSeconds: number;
}

/** Opens the store for the service, over a read-only connection. Throws `Refused`. */
export async function openReader(
  url: string,
  { adminKeyCacheSeconds }: ReaderOptions = { adminKeyCacheSeconds: 0 },
): Promise<StoreReader> {
  const client = await openCurrentSchema(url);
  await client.end();
  const reader = readerOf(new PipelinedConnection(url));
  const checkPlans = plansReadiness(url);
  const shards = shardReadiness(url);
  const checkReadiness = () => reader.checkReadiness().then(checkPlans).then(shards.check);
  const close = async () => {
    await reader.close();
    await shards.close();
  };
  return cachedAdminKeys({ ...reader, checkReadiness, close }, adminKeyCacheSeconds);
}

/** Opens the store for the operator's commands and for issuers. Throws `Refused`. */
export async function openWriter(url: string, actor: Actor): Promise<RosterWriter> {
  const connection = new WriterConnection(url);
  await connection.client();
  const work = new WorkUntilClose();
  const run = <T>(once: () => Promise<T>) => orRefused(() => work.run(once));
  const read = <T>(query: (client: Client) => Promise<T>) =>
    run(async () => query(await connection.client()));
  const recorded = actsOf<Client>(actor, async once => inTransaction(await connection.client(), once));
  const act: Act<Client> = (...args) => run(() => recorded(...args));
  const reader = readerOf(new PipelinedConnection(url));
  return {
    ...reader,
    ...issuerStoreOf(act),
    listOrganizations: () => read(listOrganizations),
    findOrganization: id => read(client => findOrganization(client, id)),
    listAdminKeys: organization => read(client => listAdminKeys(client, organization)),
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

function readerOf(connection: PipelinedConnection): StoreReader {
  return {
    listApiKeys: (organization, query) => listApiKeys(connection, organization, query),
    findAdminKey: (digest, at) => findAdminKey(connection, digest, at),
    checkReadiness: () => checkReadiness(connection),
    close: () => connection.close(),
  };
}
