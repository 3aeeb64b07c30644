import { isBuiltin } from 'node:module';
import type { AdoptionOptions } from './postgres/adoption/adopt.ts';
import type { Catalogue } from './postgres/adoption/catalogue/catalogue.ts';
import type { Examination } from './postgres/adoption/examine/examine.ts';
import type { Mapping } from './postgres/adoption/mapping/mapping.ts';
import type { Actor } from './roster/actor.ts';
import type { CheckOptions, CheckReport } from './roster/check.ts';
import { Refused } from './roster/errors.ts';
import type { MigrationListener } from './roster/migration-listener.ts';
import type { OperatorReader, RosterWriter, StoreReader } from './roster/roster.ts';
import type { Schemas } from './roster/schema.ts';

/** How much a reader caches. */
export interface ReaderOptions {
  /** PostgreSQL: how long an admin key is cached; 0: not at all. */
  readonly adminKeyCacheSeconds: number;
  /** The embedded store: memory for cached pages, which are never out of date; 0: none are cached. */
  readonly pageCacheBytes: number;
  /** Of a store that has them: URLs of standbys that pages are read from, and how far behind one may be, 1 second or more. */
  readonly standbys?: { readonly urls: readonly string[]; readonly maxLagSeconds: number } | undefined;
}

/** A revoked key may keep working for as long as it is cached: at most a minute. */
export const CACHES = {
  adminKeySeconds: { default: 5, max: 60 },
  pageMiB: { default: 16, max: 4096 },
} as const;

/** Opens a store. */
export interface Store {
  /**
   * Returns how many migrations were applied. The actor is who runs it, for the audit log. While another process migrates the
   * same store this waits; when that takes long, the listener gets a message that says who that is (PostgreSQL). With `partitions`
   * it makes that many of a table without API keys; throws `Refused` for the embedded store, where each migration waits this long for
   * another writer, and throws `StoreLocked` then.
   */
  migrate(actor: Actor, listener?: MigrationListener, partitions?: number, waitMs?: number): Promise<number>;
  /** What `migrate` would do now, a line each. Changes nothing. */
  planMigration(partitions?: number): Promise<readonly string[]>;
  /** That of the store and that of this release. Only reads. */
  schemas(): Promise<Schemas>;
  openReader(options?: ReaderOptions): Promise<StoreReader>;
  /** Whether pages can be read from standbys. */
  readonly hasStandbys: boolean;
  /** Over PostgreSQL a standby does. */
  openOperatorReader(): Promise<OperatorReader>;
  /** A write to the embedded store waits this long for another writer, and throws `StoreLocked` then. */
  openWriter(actor: Actor, waitMs?: number): Promise<RosterWriter>;
  /** Writes a consistent copy to a new file. */
  backup(file: string): Promise<void>;
  /** Looks for what is wrong with the plans of pages and with the rows. Changes nothing. */
  check(options?: CheckOptions): Promise<CheckReport>;
  /** A vendor's own table in the place of ours (PostgreSQL). Throws `Refused` for the embedded store. */
  adoption(): Promise<Adoption>;
  /** Its URL without its password. Throws a `Refused` for one that is malformed. */
  shownUrl(): Promise<string>;
  /** What is wrong with the encryption of the connection to the store, for the operator; `null` when nothing is. */
  tlsWarning(): Promise<string | null>;
}

/** Serves a vendor's own table (docs/your-table.md). Each throws `Refused`. */
export interface Adoption {
  /** What PostgreSQL tells of a table, with a sample of its values. */
  catalogue(table: string): Promise<Catalogue>;
  /** What is wrong with a mapping for its table. Only reads. */
  examine(mapping: Mapping): Promise<Examination>;
  /** What `apply` would run now, as SQL. Only reads. */
  sql(mapping: Mapping, role: string | undefined): Promise<string>;
  /** Whatever it is stopped at, the next run does the rest. `onStep` is told of each step before it is run. */
  apply(mapping: Mapping, options: AdoptionOptions): Promise<void>;
  /** Takes back what `apply` has made. Returns whether Keyroster's own table is in its place then. */
  remove(onStep: (what: string) => void): Promise<boolean>;
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
  return {
    migrate: async (actor, _listener, partitions, waitMs) => {
      refusePartitions(partitions);
      return (await ofThisNode(() => import('./sqlite/migrate.ts'))).migrate(file, actor, waitMs);
    },
    planMigration: async partitions => {
      refusePartitions(partitions);
      return (await ofThisNode(() => import('./sqlite/plan-migration.ts'))).planMigration(file);
    },
    schemas: async () => (await ofThisNode(() => import('./sqlite/plan-migration.ts'))).schemasOf(file),
    openReader: async options => (await store()).openReader(file, options),
    openOperatorReader: async () => (await store()).openOperatorReader(file),
    openWriter: async (actor, waitMs) => (await store()).openWriter(file, actor, waitMs),
    backup: async copy => (await ofThisNode(() => import('./sqlite/backup.ts'))).backup(file, copy),
    check: async (options = {}) => (await ofThisNode(() => import('./sqlite/check.ts'))).check(file, options),
    adoption: async () => {
      throw new Refused('adopt: a table of your own has to be in PostgreSQL: --database postgres://…');
    },
    hasStandbys: false,
    shownUrl: async () => `sqlite:${file}`,
    tlsWarning: async () => null,
  };
}

function refusePartitions(partitions: number | undefined): void {
  if (partitions !== undefined) throw new Refused('--partitions: is for PostgreSQL: --database postgres://…');
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

async function standbysOf({ urls, maxLagSeconds }: NonNullable<ReaderOptions['standbys']>) {
  const { parseStandbyUrl } = await import('./postgres/connecting/url.ts');
  return { urls: urls.map(url => parseStandbyUrl(url)), maxLagMs: maxLagSeconds * 1000 };
}

/** As those of a `Store`, of the URL of a standby. Each throws a `Refused` that names `--read-from`. */
export const standby = {
  shownUrl: async (url: string) => {
    (await import('./postgres/connecting/url.ts')).parseStandbyUrl(url);
    return (await import('./postgres/connecting/url-parts.ts')).withoutPassword(url);
  },
  tlsWarning: async (url: string) => {
    const { parseStandbyUrl } = await import('./postgres/connecting/url.ts');
    return (await import('./postgres/tls.ts')).tlsWarning(parseStandbyUrl(url));
  },
};

function postgresStore(text: string): Store {
  const store = () => import('./postgres/store.ts');
  const url = async () => (await import('./postgres/connecting/url.ts')).parsePostgresUrl(text);
  const writable = async () => (await import('./postgres/connecting/url.ts')).forWriting(await url());
  return {
    migrate: async (actor, listener, partitions) =>
      (await import('./postgres/migrate.ts')).migrate(await writable(), actor, listener, partitions),
    planMigration: async partitions =>
      (await import('./postgres/plan-migration.ts')).planMigration(await url(), partitions),
    schemas: async () => (await import('./postgres/plan-migration.ts')).schemasOf(await url()),
    openReader: async ({ adminKeyCacheSeconds, standbys } = { adminKeyCacheSeconds: 0, pageCacheBytes: 0 }) =>
      (await store()).openReader(await url(), {
        adminKeyCacheSeconds,
        standbys: standbys && (await standbysOf(standbys)),
      }),
    openOperatorReader: async () => (await store()).openOperatorReader(await url()),
    openWriter: async actor => (await store()).openWriter(await writable(), actor),
    backup: async () => {
      throw new Refused('backup: is for the embedded store; use pg_dump for PostgreSQL');
    },
    check: async (options = {}) => (await import('./postgres/check/check.ts')).check(await url(), options),
    adoption: async () => (await import('./postgres/adoption/adopt.ts')).adoptionOf(await url()),
    hasStandbys: true,
    shownUrl: async () => {
      await url(); // refuses a wrong one
      return (await import('./postgres/connecting/url-parts.ts')).withoutPassword(text);
    },
    tlsWarning: async () => (await import('./postgres/tls.ts')).tlsWarning(await url()),
  };
}
