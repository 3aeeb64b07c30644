import { Option } from 'commander';
import { ACTOR_RULE, type Actor, parseActor } from '../../service/roster/actor.ts';
import type { OperatorReader, RosterWriter } from '../../service/roster/roster.ts';
import { SETTINGS } from '../../service/settings.ts';
import { parseStore, STORE_RULE, type Store } from '../../service/stores.ts';
import { systemUser } from '../../service/system-user.ts';
import { UsageError } from '../../shared/command/command.ts';
import { durationOf, required } from '../../shared/command/options.ts';
import { printError } from '../../shared/command/terminal/print.ts';
import { optionOf } from './setting-option.ts';

/** Longer than any import takes. */
const MAX_WAIT_MS = 24 * 3_600_000;

export const databaseOption = () => optionOf(SETTINGS.database);

/** The store that `--database` or its variable names. The URL isn't repeated in an error: it may hold a password. */
export function storeAt(
  url: string,
  option = url === process.env.KEYROSTER_DATABASE_URL ? 'KEYROSTER_DATABASE_URL' : '--database',
): Store {
  return required(option, parseStore(url), STORE_RULE);
}

/** The store for an operator's command, who is warned first if the connection to it isn't encrypted. */
export async function warnedStoreAt(url: string, option?: string): Promise<Store> {
  const store = storeAt(url, option);
  const warning = await store.tlsWarning();
  if (warning) printError(`keyroster: warning: ${warning}`);
  return store;
}

export const actorOption = () =>
  new Option('--actor <name>', 'who does this, for the audit log (default: $SUDO_USER, the system user)').env(
    'KEYROSTER_ACTOR',
  );

/** For every command that writes. */
export const writeOptions = () => [
  databaseOption(),
  actorOption(),
  new Option('--wait <duration>', 'SQLite: how long to wait while another process writes')
    .env('KEYROSTER_WAIT')
    .default('5s'),
];

/** The options of a command that writes. */
export interface WriteFlags {
  readonly database: string;
  /** What messages call it, where that isn't `--database`. */
  readonly databaseOption?: string;
  readonly actor: string | undefined;
  readonly wait?: string;
  /** Where the command has it. */
  readonly json?: boolean;
}

export function actorOf(text: string | undefined): Actor {
  return text === undefined ? systemUser() : required('--actor', parseActor(text), ACTOR_RULE);
}

/** In milliseconds. */
export function waitOf(text: string): number {
  const ms = Number(durationOf('--wait', text) / 1_000n);
  if (ms > MAX_WAIT_MS) throw new UsageError('--wait: must be at most 24h');
  return ms;
}

/** Opens the store for writing, does the work, and closes the store whether or not the work succeeds. */
export async function withWriter<T>(
  { database, databaseOption, actor, wait }: WriteFlags,
  work: (roster: RosterWriter) => Promise<T>,
): Promise<T> {
  const by = actorOf(actor);
  const waitMs = wait === undefined ? undefined : waitOf(wait);
  const store = await warnedStoreAt(database, databaseOption);
  return withOpened(await store.openWriter(by, waitMs), work);
}

/** The same for a command that only reads. */
export async function withOperatorReader<T>(
  database: string,
  work: (roster: OperatorReader) => Promise<T>,
): Promise<T> {
  const store = await warnedStoreAt(database);
  return withOpened(await store.openOperatorReader(), work);
}

async function withOpened<Roster extends OperatorReader, T>(
  roster: Roster,
  work: (roster: Roster) => Promise<T>,
): Promise<T> {
  try {
    return await work(roster);
  } finally {
    await roster.close();
  }
}
