import { isBuiltin } from 'node:module';
import { Refused } from '../shared/record/faults.ts';
import { withDriver } from './optional-packages.ts';
import type { CheckVendorTable } from './postgres/check/check.ts';
import type { PostgresUrl } from './postgres/connecting/url.ts';
import type { Actor } from './roster/actor.ts';
import type { CheckReport } from './roster/check.ts';
import type { StoreIdentity } from './roster/identity.ts';
import type { StoreReader } from './roster/pages/reader.ts';
import type { OperatorReader, RosterWriter } from './roster/roster.ts';
import type { MigrationListener, Schemas } from './roster/schema.ts';
import type { CopyListener } from './sqlite/backup.ts';

type Preparation = (copy: string) => Promise<void>;

/** What `serve` needs of a store. */
export interface ServedStore {
  /** Throws `Refused` where this release can't read the store. */
  findIdentity(): Promise<StoreIdentity>;
  /** PostgreSQL: an admin key is cached for so long; 0, the default: not at all. */
  openReader(adminKeyCacheSeconds?: number): Promise<StoreReader>;
  /** What is wrong with the encryption of the connection to the store, for the operator; `null` when nothing is. */
  tlsWarning(): Promise<string | null>;
}

/** What the operator's commands need of it too. */
export interface Store extends ServedStore {
  /**
   * Returns how many migrations were applied. The actor is who runs it, for the audit log. While another process migrates the
   * same store this waits; when that takes long, the listener gets a message that says who that is (PostgreSQL).
   * In the embedded store each migration waits this long for another writer, and throws `StoreLocked` then.
   */
  migrate(actor: Actor, listener?: MigrationListener, waitMs?: number): Promise<number>;
  /** What `migrate` would do now, a line each. Changes nothing. */
  planMigration(): Promise<readonly string[]>;
  /** That of the store and that of this release. Only reads. */
  schemas(): Promise<Schemas>;
  /** Over PostgreSQL a standby does. */
  openOperatorReader(): Promise<OperatorReader>;
  /** A write to the embedded store waits this long for another writer, and throws `StoreLocked` then. */
  openWriter(actor: Actor, waitMs?: number): Promise<RosterWriter>;
  /** Writes a consistent copy to a new file. */
  backup(file: string, onCopied?: CopyListener): Promise<void>;
  /** Puts a backup in the place of the embedded store: see `sqlite/restore.ts`. The work gets the copy's URL before that. */
  restore(copy: string, actor: Actor, work: Preparation, onCopied?: CopyListener): Promise<string | null>;
  /** Looks for what is wrong with the indexes of pages and with the rows. Changes nothing. */
  check(checkVendorTable: CheckVendorTable): Promise<CheckReport>;
  /** Where a vendor's own table may be served in the place of ours. Throws `Refused` for the embedded store. */
  databaseOfVendor(): Promise<PostgresUrl>;
  /** Its URL without its password. Throws a `Refused` for one that is malformed. */
  shownUrl(): Promise<string>;
}

export const STORE_RULE = 'must be sqlite:FILE or postgres://…';

/** The store that a URL names. This is the one place that knows which kinds of store there are. */
export function parseStore(url: unknown): Store | undefined {
  if (typeof url !== 'string') return undefined;
  const file = /^sqlite:([^\p{Cc}]+)$/u.exec(url)?.[1];
  if (file) return file.includes('://') ? undefined : sqliteStore(file);
  return /^postgres(ql)?:\/\//.test(url) ? postgresStore(url) : undefined;
}

// Each is loaded when it is used: the embedded store needs no driver, and the others no `node:sqlite`.

function sqliteStore(file: string): Store {
  const store = () => ofThisNode(() => import('./sqlite/store.ts'));
  const migrations = () => ofThisNode(() => import('./sqlite/migrations/migrate.ts'));
  return {
    migrate: async (actor, _listener, waitMs) => (await migrations()).migrate(file, actor, waitMs),
    planMigration: async () => (await migrations()).planMigration(file),
    schemas: async () => (await migrations()).schemasOf(file),
    findIdentity: async () => (await ofThisNode(() => import('./sqlite/identity.ts'))).findIdentity(file),
    openReader: async () => (await store()).openReader(file),
    openOperatorReader: async () => (await store()).openOperatorReader(file),
    openWriter: async (actor, waitMs) => (await store()).openWriter(file, actor, waitMs),
    backup: async (...to) => (await ofThisNode(() => import('./sqlite/backup.ts'))).backup(file, ...to),
    restore: async (copy, actor, work, onCopied) => {
      const { restore } = await ofThisNode(() => import('./sqlite/restore.ts'));
      return restore(file, copy, actor, prepared => work(`sqlite:${prepared}`), onCopied);
    },
    check: async () => (await ofThisNode(() => import('./sqlite/check.ts'))).check(file),
    databaseOfVendor: async () => {
      throw new Refused('adopt: a table of your own has to be in PostgreSQL: --database postgres://…');
    },
    shownUrl: async () => `sqlite:${file}`,
    tlsWarning: async () => null,
  };
}

/** The first release of Node whose `node:sqlite` binds the values of `?1`, `?2`, … that are passed by position. */
const NODE_FOR_SQLITE = '24.7';

function ofThisNode<T>(load: () => Promise<T>): Promise<T> {
  const isOlder = process.versions.node.localeCompare(NODE_FOR_SQLITE, 'en', { numeric: true }) < 0;
  if (isBuiltin('node:sqlite') && !isOlder) return load();
  throw new Refused(
    `database: sqlite:FILE needs Node ${NODE_FOR_SQLITE} or later; postgres://… and a roster of your own need Node 22.2 or later`,
  );
}

function postgresStore(text: string): Store {
  const store = () => withDriver(() => import('./postgres/store.ts'));
  const migrations = () => withDriver(() => import('./postgres/migrations/migrate.ts'));
  const url = async () => (await import('./postgres/connecting/url.ts')).parsePostgresUrl(text);
  const writable = async () => (await import('./postgres/connecting/url.ts')).forWriting(await url());
  return {
    migrate: async (actor, listener) => (await migrations()).migrate(await writable(), actor, listener),
    planMigration: async () => (await migrations()).planMigration(await url()),
    schemas: async () => (await migrations()).schemasOf(await url()),
    findIdentity: async () =>
      (await withDriver(() => import('./postgres/identity.ts'))).findIdentity(await url()),
    openReader: async (adminKeyCacheSeconds = 0) =>
      (await store()).openReader(await url(), adminKeyCacheSeconds),
    openOperatorReader: async () => (await store()).openOperatorReader(await url()),
    openWriter: async actor => (await store()).openWriter(await writable(), actor),
    backup: async () => {
      throw new Refused('backup: is for the embedded store; use pg_dump for PostgreSQL');
    },
    restore: async () => {
      throw new Refused(
        'restore: FILE is for the embedded store; for PostgreSQL pg_restore a dump into a new database, then give --from or --audit-log',
      );
    },
    check: async checkVendorTable => {
      const { check } = await withDriver(() => import('./postgres/check/check.ts'));
      return check(await url(), checkVendorTable);
    },
    databaseOfVendor: () => withDriver(url),
    shownUrl: async () => {
      await url(); // refuses a wrong one
      return (await import('./postgres/connecting/url.ts')).withoutPassword(text);
    },
    tlsWarning: async () => (await import('./postgres/connecting/tls.ts')).tlsWarning(await url()),
  };
}
