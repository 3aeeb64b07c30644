import type { RosterReader, RosterWriter } from '../roster/roster.ts';
import { backup } from '../sqlite/backup.ts';
import { openReader, openWriter } from '../sqlite/connect.ts';
import { migrate } from '../sqlite/migrate.ts';
import { UsageError } from './errors.ts';

/** Opens a store: the one place that knows which there are. */
export interface Store {
  /** Returns how many migrations were applied. */
  migrate(): Promise<number>;
  openReader(): Promise<RosterReader>;
  openWriter(): Promise<RosterWriter>;
  /** Writes a consistent copy to a new file. */
  backup(file: string): Promise<void>;
}

/** The store that a `--database` URL names. The URL isn't repeated in an error: it may hold a password. */
export function storeAt(url: string): Store {
  const file = /^sqlite:(.+)$/.exec(url)?.[1];
  if (!file) throw new UsageError('--database: must be sqlite:FILE, such as sqlite:data/keyroster.db');
  return {
    migrate: async () => migrate(file),
    openReader: async () => openReader(file),
    openWriter: async () => openWriter(file),
    backup: async copy => backup(file, copy),
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
