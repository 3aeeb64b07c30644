import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Refused, StoreUnavailable } from '../roster/errors.ts';
import type { RosterReader, RosterWriter } from '../roster/roster.ts';
import { createAdminKey, listAdminKeys, revokeAdminKey } from './admin-keys.ts';
import { adminKeyFinder } from './find-admin-key.ts';
import { importApiKeys } from './import-api-keys.ts';
import { pageReader } from './list-api-keys.ts';
import { createOrganization, listOrganizations } from './organizations.ts';
import { requireCurrentSchema } from './schema-version.ts';

/** How long a statement waits for another process's lock. node:sqlite's own default is not to wait at all. */
const BUSY_TIMEOUT_MS = 5_000;
/** Pages that SQLite keeps in memory, in KiB. The operating system's cache holds the rest of the file. */
const CACHE_KIB = 32 * 1024;
/** How much of the write-ahead log stays on the disk after a large import. */
const LEFT_OF_LOG_BYTES = 64 * 1024 * 1024;

/** The store in this file, for the service: opened read-only. Throws `Refused` when the file isn't a current store. */
export function openReader(file: string): RosterReader {
  const database = open(file, { readOnly: true });
  const listApiKeys = pageReader(database);
  const findAdminKey = adminKeyFinder(database);
  return {
    listApiKeys: async (organization, query) => reading(() => listApiKeys(organization, query)),
    findAdminKey: async digest => reading(() => findAdminKey(digest)),
    close: async () => database.close(),
  };
}

/** The store in this file, for the operator's commands. Throws `Refused` when the file isn't a current store. */
export function openWriter(file: string): RosterWriter {
  const database = open(file, { readOnly: false });
  return {
    createOrganization: async organization => createOrganization(database, organization),
    listOrganizations: async () => listOrganizations(database),
    createAdminKey: async key => createAdminKey(database, key),
    listAdminKeys: async organization => listAdminKeys(database, organization),
    revokeAdminKey: async (id, at) => revokeAdminKey(database, id, at),
    importApiKeys: (organization, source, refuse) => importApiKeys(database, organization, source, refuse),
    close: async () => database.close(),
  };
}

function open(file: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  if (!existsSync(file))
    throw new Refused(`database: there is no file ${file}: run "keyroster migrate" to make it`);
  const database = openFile(file, { readOnly });
  try {
    requireCurrentSchema(database, file);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** Opens the file with the settings that every connection needs; creates it when it may be written and isn't there. */
export function openFile(file: string, { readOnly }: { readOnly: boolean }): DatabaseSync {
  try {
    const database = new DatabaseSync(file, {
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
    throw new Refused(`database: can't open ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** SQLite's primary result codes that speak of the file or its locks, not of our statement (sqlite.org/rescode.html). */
const UNAVAILABLE = new Set([5, 6, 8, 10, 11, 13, 14, 23, 26]); // BUSY LOCKED READONLY IOERR CORRUPT FULL CANTOPEN AUTH NOTADB

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const code = (error as { errcode?: number }).errcode;
    if (code !== undefined && UNAVAILABLE.has(code & 0xff)) {
      throw new StoreUnavailable(`SQLite: ${(error as Error).message}`, { cause: error });
    }
    throw error;
  }
}
