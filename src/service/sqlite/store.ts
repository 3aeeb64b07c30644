import type { DatabaseSync } from 'node:sqlite';
import type { Actor } from '../roster/actor.ts';
import type { DeclaredField } from '../roster/declared-fields.ts';
import { refuseCopy } from '../roster/identity.ts';
import type { StoreReader } from '../roster/pages/reader.ts';
import type { OperatorReader, RosterWriter, WritingMethod } from '../roster/roster.ts';
import { WorkUntilClose } from '../roster/work-until-close.ts';
import type { ResultOf } from '../roster/writes/audited-acts.ts';
import { closeWriter, withoutForeignKeys } from './connection.ts';
import { orRefused, orUnavailable } from './errors.ts';
import { confirmRestore, identityOf } from './identity.ts';
import { requireSchema } from './migrations/schema.ts';
import { BatchedReads } from './pages/batched-reads.ts';
import { cachedReads } from './pages/cached-reads.ts';
import { adminKeyFinder } from './pages/find-admin-key.ts';
import { pageReader } from './pages/list-api-keys.ts';
import { ReopenedFile } from './pages/reopened-file.ts';
import { readSnapshot } from './read-snapshot.ts';
import { openStoreFile } from './store-file.ts';
import {
  copyAdminKeys,
  createAdminKey,
  listAdminKeys,
  revokeAdminKey,
  rotateAdminKey,
} from './writes/admin-keys.ts';
import { actsOf, listAuditEntries } from './writes/audit-log.ts';
import { addField, fieldsReader, removeField } from './writes/change-fields.ts';
import { deleteNext, findContents } from './writes/delete-organization.ts';
import { importApiKeys } from './writes/import/import-api-keys.ts';
import { listImports, revertImport } from './writes/imports.ts';
import {
  createOrganization,
  disableOrganization,
  enableOrganization,
  findOrganization,
  listOrganizations,
  renameOrganization,
} from './writes/organizations.ts';
import { apiKeyPuts } from './writes/put-api-keys.ts';
import { setStatus } from './writes/set-status.ts';

/** Opens the store read-only, for the service. Throws `Refused` when the file isn't a store that this release can read, or is a backup. */
export function openReader(file: string): StoreReader {
  const open = () => {
    const database = openStoreFile(file, { use: 'read' });
    try {
      refuseCopy(identityOf(database));
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
  return operatorReads(database, file, undefined, new WorkUntilClose(), () => database.close());
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
  const run = <T>(once: () => T | Promise<T>) => orRefused(waitMs, () => work.run(once));
  const written =
    <M extends WritingMethod>(
      method: M,
      write: (database: DatabaseSync, ...args: Parameters<RosterWriter[M]>) => ResultOf<M>,
    ) =>
    (...args: Parameters<RosterWriter[M]>) =>
      run(() => act(method, args, () => write(database, ...args)));
  return {
    ...operatorReads(database, file, waitMs, work, () => closeWriter(database, file)),
    createOrganization: written('createOrganization', createOrganization),
    renameOrganization: written('renameOrganization', renameOrganization),
    disableOrganization: written('disableOrganization', disableOrganization),
    enableOrganization: written('enableOrganization', enableOrganization),
    createAdminKey: written('createAdminKey', createAdminKey),
    revokeAdminKey: written('revokeAdminKey', revokeAdminKey),
    copyAdminKeys: written('copyAdminKeys', copyAdminKeys),
    rotateAdminKey: written('rotateAdminKey', rotateAdminKey),
    revertImport: written('revertImport', revertImport),
    setStatus: written('setStatus', setStatus),
    addField: written('addField', addField),
    removeField: written('removeField', removeField),
    confirmRestore: written('confirmRestore', confirmRestore),
    deleteNext: (id, at, after) =>
      run(() =>
        withoutForeignKeys(database, () =>
          act('deleteNext', [id, at, after], () => deleteNext(database, id, at)),
        ),
      ),
    importApiKeys: (...args) =>
      run(() => importApiKeys(database, ...args, actor, merge => act('importApiKeys', args, merge))),
    putApiKeys: (...args) => run(() => act('putApiKeys', args, () => puts.putApiKeys(...args))),
    feedApiKeys: (...args) => run(() => act('feedApiKeys', args, () => puts.feedApiKeys(...args))),
  };
}

/** What the operator's commands read, over one connection. */
function operatorReads(
  database: DatabaseSync,
  file: string,
  waitMs: number | undefined,
  work: WorkUntilClose,
  close: () => void,
): OperatorReader {
  const reads = readsOf(database, file);
  const run = <T>(once: () => T | Promise<T>) => orRefused(waitMs, () => work.run(once));
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
  const readFields = fieldsReader(database);
  let fields: readonly DeclaredField[] | undefined;
  const listFields = () => {
    fields ??= readFields();
    return fields;
  };
  const reads = readsOf(database, file, listFields);
  const { evictStale, ...cached } = cachedReads(reads, database, () => {
    refuseCopy(identityOf(database)); // a tool of SQLite's may have written a backup over it
    fields = undefined;
    reads.forgetNumbers();
  });
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
