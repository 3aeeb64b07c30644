import type { Client } from 'pg';
import type { Actor } from '../roster/actor.ts';
import type { RosterWriter, StoreReader } from '../roster/roster.ts';
import {
  createAdminKey,
  listAdminKeys,
  recordAdminKeyUse,
  revokeAdminKey,
  rotateAdminKey,
} from './admin-keys.ts';
import { actsOf, listAuditEntries } from './audit-log.ts';
import { openClient } from './connection.ts';
import { orRefused } from './errors.ts';
import { findAdminKey } from './find-admin-key.ts';
import { importApiKeys } from './import-api-keys.ts';
import { listApiKeys } from './list-api-keys.ts';
import { createOrganization, findOrganization, listOrganizations } from './organizations.ts';
import { putApiKeys } from './put-api-keys.ts';
import { checkReadiness, requireCurrentSchema } from './schema-version.ts';
import { cachedAdminKeys } from './serving/cached-admin-keys.ts';
import { PipelinedConnection } from './serving/pipelined-connection.ts';
import { setStatus } from './set-status.ts';
import { inTransaction } from './transaction.ts';

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
  return cachedAdminKeys(readerOf(new PipelinedConnection(url)), adminKeyCacheSeconds);
}

/** Opens the store for the operator's commands. Throws `Refused`. */
export async function openWriter(url: string, actor: Actor): Promise<RosterWriter> {
  const client = await openCurrentSchema(url);
  const act = actsOf(client, actor, inTransaction);
  const reader = readerOf(new PipelinedConnection(url));
  return {
    ...reader,
    createOrganization: (...args) =>
      orRefused(() => act('createOrganization', args, () => createOrganization(client, ...args))),
    listOrganizations: () => orRefused(() => listOrganizations(client)),
    findOrganization: id => orRefused(() => findOrganization(client, id)),
    createAdminKey: (...args) =>
      orRefused(() => act('createAdminKey', args, () => createAdminKey(client, ...args))),
    listAdminKeys: organization => orRefused(() => listAdminKeys(client, organization)),
    revokeAdminKey: (...args) =>
      orRefused(() => act('revokeAdminKey', args, () => revokeAdminKey(client, ...args))),
    rotateAdminKey: (...args) =>
      orRefused(() => act('rotateAdminKey', args, () => rotateAdminKey(client, ...args))),
    recordAdminKeyUse: (...args) =>
      orRefused(() => act('recordAdminKeyUse', args, () => recordAdminKeyUse(client, ...args))),
    importApiKeys: (...args) =>
      orRefused(() => act('importApiKeys', args, () => importApiKeys(client, ...args))),
    putApiKeys: (...args) => orRefused(() => act('putApiKeys', args, () => putApiKeys(client, ...args))),
    setStatus: (...args) => orRefused(() => act('setStatus', args, () => setStatus(client, ...args))),
    listAuditEntries: (...args) => orRefused(() => listAuditEntries(client, ...args)),
    close: async () => {
      await reader.close();
      await client.end();
    },
  };
}

async function openCurrentSchema(url: string): Promise<Client> {
  const client = await openClient(url);
  try {
    await orRefused(() => requireCurrentSchema(client));
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

function readerOf(connection: PipelinedConnection): StoreReader {
  return {
    listApiKeys: (organization, query) => listApiKeys(connection, organization, query),
    findAdminKey: (digest, at) => findAdminKey(connection, digest, at),
    checkReadiness: () => checkReadiness(connection),
    close: () => connection.close(),
  };
}
