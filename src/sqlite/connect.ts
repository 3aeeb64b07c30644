import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Refused } from '../roster/errors.ts';
import type { RosterReader, RosterWriter } from '../roster/roster.ts';
import { createAdminKey, listAdminKeys, revokeAdminKey } from './admin-keys.ts';
import { faultOf, reading, writing } from './faults.ts';
import { adminKeyFinder } from './find-admin-key.ts';
import { FollowedFile } from './followed-file.ts';
import { importApiKeys } from './import-api-keys.ts';
import { pageReader } from './list-api-keys.ts';
import { createOrganization, findOrganization, listOrganizations } from './organizations.ts';
import { remembering } from './remember-reads.ts';
import { requireCurrentSchema } from './schema-version.ts';
import { setStatus } from './set-status.ts';
import { TurnSnapshot } from './turn-snapshot.ts';

/** How long a statement waits for another process's lock. node:sqlite's own default is not to wait at all. */
const BUSY_TIMEOUT_MS = 5_000;
/** Pages that SQLite keeps in memory, in KiB. The operating system's cache holds the rest of the file. */
const CACHE_KIB = 8 * 1024;
/** How much of the write-ahead log stays on the disk after a large import. */
const LEFT_OF_LOG_BYTES = 64 * 1024 * 1024;

export interface ReaderOptions {
  /** What may be remembered of pages that were asked for again; 0: nothing. */
  readonly pageCacheBytes: number;
}

/** The store in this file, for the service: opened read-only. Throws `Refused` when the file isn't a current store. */
export function openReader(
  file: string,
  { pageCacheBytes }: ReaderOptions = { pageCacheBytes: 0 },
): RosterReader {
  const followed = new FollowedFile(file, () => {
    return snapshotReadsOf(open(file, { readOnly: true }), file, pageCacheBytes);
  });
  const snapshot = new TurnSnapshot(followed);
  return readerOf(
    read => snapshot.read(read),
    () => snapshot.close(),
  );
}

/** The store in this file, for the operator's commands. Throws `Refused` when the file isn't a current store. */
export function openWriter(file: string): RosterWriter {
  const database = open(file, { readOnly: false });
  const reads = readsOf(database, file);
  return {
    ...readerOf(
      read => reading(() => read(reads)),
      () => reads.close(),
    ),
    createOrganization: organization => writing(() => createOrganization(database, organization)),
    listOrganizations: () => writing(() => listOrganizations(database)),
    findOrganization: id => writing(() => findOrganization(database, id)),
    createAdminKey: key => writing(() => createAdminKey(database, key)),
    listAdminKeys: organization => writing(() => listAdminKeys(database, organization)),
    revokeAdminKey: (id, at) => writing(() => revokeAdminKey(database, id, at)),
    importApiKeys: (organization, source, options) =>
      writing(() => importApiKeys(database, organization, source, options)),
    setStatus: (organization, ids, status) => writing(() => setStatus(database, organization, ids, status)),
  };
}

/** What can be read over one connection. */
function readsOf(database: DatabaseSync, file: string) {
  return {
    listApiKeys: pageReader(database),
    findAdminKey: adminKeyFinder(database),
    checkReadiness: () => requireCurrentSchema(database, file),
    close: () => database.close(),
  };
}

/** The same over a snapshot, from `begin` to `end`, and remembered. */
function snapshotReadsOf(database: DatabaseSync, file: string, pageCacheBytes: number) {
  const reads = readsOf(database, file);
  const remembered = pageCacheBytes > 0 ? remembering(reads, database, pageCacheBytes) : null;
  const begin = database.prepare('BEGIN');
  const end = database.prepare('COMMIT');
  return {
    ...reads,
    ...remembered,
    begin(): void {
      begin.run();
      remembered?.prove();
    },
    end: () => void end.run(),
  };
}

type Reads = ReturnType<typeof readsOf>;

function readerOf(run: <T>(read: (reads: Reads) => T) => Promise<T>, close: () => void): RosterReader {
  return {
    listApiKeys: (organization, query) => run(reads => reads.listApiKeys(organization, query)),
    findAdminKey: (digest, at) => run(reads => reads.findAdminKey(digest, at)),
    checkReadiness: () => run(reads => reads.checkReadiness()),
    close: async () => close(),
  };
}

export function open(file: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  if (!existsSync(file))
    throw new Refused(`database: there is no file ${file}: run "keyroster migrate" to make it`);
  const database = openFile(file, { readOnly });
  try {
    requireCurrentSchema(database, file);
    // Readers and the one writer don't wait for each other. The file remembers it, but a backup doesn't.
    if (!readOnly) database.exec('PRAGMA journal_mode = WAL');
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Opens the file with the settings that every connection needs; creates it when it may be written and isn't there. */
export function openFile(file: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, {
      readOnly,
      timeout: BUSY_TIMEOUT_MS,
      enableForeignKeyConstraints: true,
    });
    // FULL: what was acknowledged survives a power cut.
    database.exec(
      `PRAGMA synchronous = FULL; PRAGMA cache_size = -${CACHE_KIB}; PRAGMA journal_size_limit = ${LEFT_OF_LOG_BYTES}`,
    );
    return database;
  } catch (error) {
    database?.close();
    throw new Refused(`database: can't open ${file}: ${faultOf(error) ?? (error as Error).message}`, {
      cause: error,
    });
  }
}
