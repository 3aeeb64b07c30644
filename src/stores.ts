import { UsageError } from './cli/options/usage-error.ts';
import { Refused } from './roster/errors.ts';
import type { RosterReader, RosterWriter } from './roster/roster.ts';
import { backup } from './sqlite/backup.ts';
import { openReader, openWriter } from './sqlite/connect.ts';
import { migrate } from './sqlite/migrate.ts';

/** What a reader may remember of what it read. */
export interface ReaderOptions {
  /** PostgreSQL: how long an admin key; 0: not at all. */
  readonly adminKeyCacheSeconds: number;
  /** The embedded store: so much of the pages, which are never out of date; 0: nothing. */
  readonly pageCacheBytes: number;
}

/** Opens a store: the one place that knows which there are. */
export interface Store {
  /** Returns how many migrations were applied. */
  migrate(): Promise<number>;
  openReader(options?: ReaderOptions): Promise<RosterReader>;
  openWriter(): Promise<RosterWriter>;
  /** Writes a consistent copy to a new file. */
  backup(file: string): Promise<void>;
}

/** The store that a `--database` URL names. The URL isn't repeated in an error: it may hold a password. */
export function storeAt(url: string): Store {
  const file = /^sqlite:(.+)$/.exec(url)?.[1];
  if (file) return sqliteStore(file);
  if (/^postgres(ql)?:\/\//.test(url)) return postgresStore(url);
  throw new UsageError('--database: must be sqlite:FILE or postgres://…');
}

function sqliteStore(file: string): Store {
  return {
    migrate: async () => migrate(file),
    openReader: async options => openReader(file, options),
    openWriter: async () => openWriter(file),
    backup: async copy => backup(file, copy),
  };
}

function postgresStore(url: string): Store {
  // Loaded when it is used: the embedded store needs no driver.
  const connect = () => import('./postgres/connect.ts');
  return {
    migrate: async () => (await import('./postgres/migrate.ts')).migrate(url),
    openReader: async options => (await connect()).openReader(url, options),
    openWriter: async () => (await connect()).openWriter(url),
    backup: async () => {
      throw new Refused('backup: is for the embedded store; use pg_dump for PostgreSQL');
    },
  };
}

/** Runs one piece of an operator's work on the store and closes it, whatever comes. */
export async function withWriter<T>(url: string, work: (roster: RosterWriter) => Promise<T>): Promise<T> {
  const roster = await storeAt(url).openWriter();
  try {
    return await work(roster);
  } finally {
    await roster.close();
  }
}
