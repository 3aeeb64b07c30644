import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../roster/actor.ts';
import type { OperatorReader, RosterWriter, StoreReader } from '../roster/roster.ts';
import { WorkUntilClose } from '../roster/work-until-close.ts';
import {
  createAdminKey,
  createAdminKeys,
  listAdminKeys,
  recordAdminKeyUse,
  revokeAdminKey,
  rotateAdminKey,
} from './admin-keys.ts';
import { actsOf, listAuditEntries } from './audit-log.ts';
import { disableOrganization, enableOrganization, renameOrganization } from './change-organization.ts';
import { closeWriter } from './connection.ts';
import { copyAdminKeys } from './copy-admin-keys.ts';
import { addField, fieldsReader, removeField } from './declared-fields.ts';
import { deleteNext, findContents } from './delete-organization.ts';
import { orRefused, orUnavailable, type Waiting } from './errors.ts';
import { adminKeyFinder } from './find-admin-key.ts';
import { importApiKeys } from './import/import-api-keys.ts';
import { listImports } from './imports.ts';
import { pageReader } from './list-api-keys.ts';
import {
  createOrganization,
  findOrganization,
  importOrganizations,
  listOrganizations,
} from './organizations.ts';
import { apiKeyPuts } from './put-api-keys.ts';
import { readSnapshot } from './read-snapshot.ts';
import { revertImport } from './revert-import.ts';
import { requireSchema } from './schema-version.ts';
import { BatchedReads } from './serving/batched-reads.ts';
import { CachedValue, cachedReads } from './serving/cached-reads.ts';
import { ReopenedFile } from './serving/reopened-file.ts';
import { setStatus } from './set-status.ts';
import { openStoreFile } from './store-file.ts';
import { withoutForeignKeys } from './transaction.ts';

/** Opens the store read-only, for the service. Throws `Refused` when the file isn't a store that this release can read. */
export function openReader(file: string): StoreReader {
  const open = () => {
    const database = openStoreFile(file, { use: 'read' });
    try {
      return snapshotReadsOf(database, file);
    } catch (error) {
      database.close(); // the file was damaged meanwhile
      throw error;
    }
  };
  const batched = new BatchedReads(new ReopenedFile(file, open));
  return readerOf(
    read => batched.read(read),
    () => batched.close(),
  );
}

/** Opens the store for the operator's commands that only read. Throws `Refused` when the file isn't a store that this release can read. */
export function openOperatorReader(file: string): OperatorReader {
  const database = openStoreFile(file, { use: 'read' });
  return operatorReads(database, { file }, new WorkUntilClose(), () => database.close());
}

/**
 * Opens the store for the operator's commands. Each write waits this long for another writer. Throws `Refused` when the file isn't
 * a store that this release can write.
 */
export function openWriter(file: string, actor: Actor, waitMs?: number): RosterWriter {
  const database = openStoreFile(file, { use: 'write', waitMs });
  const act = actsOf(database, actor);
  const puts = apiKeyPuts(database);
  const work = new WorkUntilClose();
  const run = <T>(once: () => T | Promise<T>) => orRefused({ file, waitMs }, () => work.run(once));
  return {
    ...operatorReads(database, { file, waitMs }, work, () => closeWriter(database, file)),
    createOrganization: (...args) =>
      run(() => act('createOrganization', args, () => createOrganization(database, ...args))),
    importOrganizations: (...args) =>
      run(() => act('importOrganizations', args, () => importOrganizations(database, ...args))),
    renameOrganization: (...args) =>
      run(() => act('renameOrganization', args, () => renameOrganization(database, ...args))),
    disableOrganization: (...args) =>
      run(() => act('disableOrganization', args, () => disableOrganization(database, ...args))),
    enableOrganization: (...args) =>
      run(() => act('enableOrganization', args, () => enableOrganization(database, ...args))),
    deleteNext: (id, at, after) =>
      run(() =>
        withoutForeignKeys(database, () =>
          act('deleteNext', [id, at, after], () => deleteNext(database, id, at)),
        ),
      ),
    createAdminKey: (...args) =>
      run(() => act('createAdminKey', args, () => createAdminKey(database, ...args))),
    createAdminKeys: (...args) =>
      run(() => act('createAdminKeys', args, () => createAdminKeys(database, ...args))),
    revokeAdminKey: (...args) =>
      run(() => act('revokeAdminKey', args, () => revokeAdminKey(database, ...args))),
    copyAdminKeys: (...args) => run(() => act('copyAdminKeys', args, () => copyAdminKeys(database, ...args))),
    rotateAdminKey: (...args) =>
      run(() => act('rotateAdminKey', args, () => rotateAdminKey(database, ...args))),
    recordAdminKeyUse: (...args) =>
      run(() => act('recordAdminKeyUse', args, () => recordAdminKeyUse(database, ...args))),
    importApiKeys: (...args) =>
      run(() => importApiKeys(database, ...args, actor, merge => act('importApiKeys', args, merge))),
    revertImport: (...args) => run(() => act('revertImport', args, () => revertImport(database, ...args))),
    putApiKeys: (...args) => run(() => act('putApiKeys', args, () => puts.putApiKeys(...args))),
    feedApiKeys: lines => run(() => act('feedApiKeys', [lines], () => puts.feedApiKeys(lines))),
    setStatus: (...args) => run(() => act('setStatus', args, () => setStatus(database, ...args))),
    addField: (...args) => run(() => act('addField', args, () => addField(database, ...args))),
    removeField: (...args) => run(() => act('removeField', args, () => removeField(database, ...args))),
  };
}

/** What the operator's commands read, over one connection. */
function operatorReads(
  database: DatabaseSync,
  waiting: Waiting,
  work: WorkUntilClose,
  close: () => void,
): OperatorReader {
  const { file } = waiting;
  const reads = readsOf(database, file);
  const run = <T>(once: () => T | Promise<T>) => orRefused(waiting, () => work.run(once));
  return {
    ...readerOf(
      read =>
        orUnavailable(() =>
          work.run(() => {
            reads.forgetNumbers();
            return read(reads);
          }),
        ),
      () => work.close(close),
    ),
    listOrganizations: (...args) => run(() => listOrganizations(database, ...args)),
    findOrganization: id => run(() => findOrganization(database, id)),
    findContents: id => run(() => findContents(database, id)),
    listAdminKeys: (...args) => run(() => listAdminKeys(database, ...args)),
    listImports: (...args) => run(() => listImports(database, ...args)),
    readSnapshot: read => work.run(() => readSnapshot(file, read)),
    listAuditEntries: (...args) => run(() => listAuditEntries(database, ...args)),
  };
}

/** The reads of one connection. */
function readsOf(database: DatabaseSync, file: string, listFields = fieldsReader(database)) {
  return {
    ...pageReader(database, listFields),
    listFields,
    findAdminKey: adminKeyFinder(database),
    checkReadiness: () => requireSchema(database, file, 'read'),
    close: () => database.close(),
  };
}

type ConnectionReads = ReturnType<typeof readsOf>;

/** Cached reads of one connection. Those between `begin` and `end` see one snapshot of the store. */
function snapshotReadsOf(database: DatabaseSync, file: string) {
  const fields = new CachedValue(fieldsReader(database));
  const reads = readsOf(database, file, () => fields.get());
  const { evictStale, ...cached } = cachedReads(reads, database, fields);
  const begin = database.prepare('BEGIN');
  const end = database.prepare('COMMIT');
  return {
    ...reads,
    ...cached,
    begin(): void {
      begin.run();
      evictStale();
    },
    /** After some errors SQLite has rolled back already. */
    end(): void {
      if (database.isTransaction) end.run();
    },
  };
}

function readerOf(
  run: <T>(read: (reads: ConnectionReads) => T) => Promise<T>,
  close: () => void | Promise<void>,
): StoreReader {
  return {
    listApiKeys: (organization, query) => run(reads => reads.listApiKeys(organization, query)),
    findAdminKey: (digest, at) => run(reads => reads.findAdminKey(digest, at)),
    listFields: () => run(reads => reads.listFields()),
    async checkReadiness() {
      await run(reads => reads.checkReadiness());
      return [];
    },
    close: async () => close(),
  };
}
