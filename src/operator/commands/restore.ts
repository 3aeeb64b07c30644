import { Option } from 'commander';
import type { OperatorReader } from '../../service/roster/roster.ts';
import { timeOf } from '../../service/roster/writes/audit-log.ts';
import { Command, UsageError } from '../../shared/command/command.ts';
import { EXIT_CODES } from '../../shared/command/exit-codes.ts';
import { printLine } from '../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../shared/command/terminal/progress-bar.ts';
import { Refused } from '../../shared/record/faults.ts';
import {
  actorOf,
  storeAt,
  type WriteFlags,
  withOperatorReader,
  withWriter,
  writeOptions,
} from '../options/database.ts';
import { endAdminKeys, repeatAll } from '../restore/repeat.ts';
import { entriesInFile, entriesOf, entriesSince } from '../restore/since.ts';

interface RestoreFlags extends WriteFlags {
  readonly from?: string | undefined;
  readonly auditLog?: string | undefined;
  readonly confirm?: boolean;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('puts a backup in the place of the embedded store, and repeats in it what ended since')
    .argument('[file]', 'the backup; left out where --database is a copy already, as by pg_restore')
    .addOption(
      new Option('--from <url>', 'the store that the copy is of (with a file: --database)').env(
        'KEYROSTER_RESTORE_FROM',
      ),
    )
    .addOption(
      new Option(
        '--audit-log <file>',
        'instead: what "audit --format jsonl" wrote; nothing is repeated, and what to do is listed',
      ).conflicts('from'),
    )
    .option('--confirm', 'let the copy in --database be served: what was left to you is done')
    .addOptions(...writeOptions())
    .example('keyroster restore keyroster-2024-10-30.db')
    .action(restore);
}

async function restore(file: string | undefined, { confirm, ...flags }: RestoreFlags): Promise<void> {
  const { database, auditLog, actor, from = database } = flags;
  if (Boolean(confirm) === [file, flags.from, auditLog].some(given => given !== undefined))
    throw new UsageError('file: give it, --from or --audit-log; or afterwards --confirm alone');
  if (confirm) return withWriter(flags, copy => copy.confirmRestore());
  if (file === undefined) return tell(await leftOf(flags));
  if (from !== database) await requireUnserved(database);
  let left: readonly string[] = [];
  const bar = new ProgressBar();
  const tellCopied = (share: number, megabytes: number) => bar.draw(share, 'copying', megabytes, 'MB');
  const work = async (prepared: string) => {
    left = await leftOf({ ...flags, database: prepared, from });
  };
  const before = await storeAt(database).restore(file, actorOf(actor), work, tellCopied);
  if (before !== null) printLine(`the store before is now ${before}`);
  tell(left);
}

/** What ended in a store that was served is in its own log, and not in that of another. */
async function requireUnserved(database: string): Promise<void> {
  const store = await storeAt(database)
    .findIdentity()
    .catch(() => null); // there is none, or it is damaged
  if (store?.isCopy === false)
    throw new Refused(
      'restore: what ended in the store at --database would be back: leave --from out, or move that store away first; nothing was changed',
    );
}

function tell(left: readonly string[]): void {
  if (left.length === 0) printLine('all that ended since is repeated');
  else process.exitCode = EXIT_CODES.needsALook; // before anything is printed, whose reader may leave
  for (const line of left) printLine(line);
}

/** What is left to do, a line each. Where nothing is, the copy is served. */
async function leftOf({ from, auditLog, ...copyAt }: RestoreFlags): Promise<readonly string[]> {
  const left =
    auditLog === undefined ? await repeatSince(copyAt, from ?? '') : await listSince(copyAt, auditLog);
  if (left.length === 0) await withWriter(copyAt, copy => copy.confirmRestore());
  return left.length === 0 ? left : [FIRST_LINE, ...left];
}

async function repeatSince(copyAt: WriteFlags, from: string): Promise<string[]> {
  const { id, isCopy } = await storeAt(copyAt.database).findIdentity();
  const old = await openOld(from, id);
  try {
    return await withWriter(copyAt, async copy => {
      const { entries, hasAll } = await entriesSince(copy, entriesOf(old));
      if (!isCopy && !hasAll)
        throw new Refused('restore: --database is no copy, or was written since: nothing was changed');
      await endAdminKeys(copy, old);
      const left = await repeatAll(entries, copy);
      const isOwn = copyAt.database.startsWith('sqlite:');
      return isOwn ? left : [...left, 'what was written by SQL: let issuers send it again'];
    });
  } finally {
    await old.close();
  }
}

/** Nothing is done by a file, as whoever writes one may be another than who runs this. */
async function listSince({ database }: WriteFlags, file: string): Promise<string[]> {
  const log = await entriesInFile(file);
  const last = log.at(-1);
  if (!last) return ['what ended since, as --audit-log is empty'];
  const { entries } = await withOperatorReader(database, copy => entriesSince(copy, log));
  const begins = entries.length < log.length ? '' : 'before the first entry of --audit-log, and ';
  const beyond = `what ended ${begins}after ${timeOf(last)}, where --audit-log ends`;
  return [...(await repeatAll(entries)), beyond];
}

const FIRST_LINE = 'serve refuses the copy until "keyroster restore --confirm". Not repeated are, by kind:';
const NO_STORE =
  'give the store before it by --from; where it is lost, its audit log by --audit-log, /dev/null where you have none';

async function openOld(from: string, copyOf: string): Promise<OperatorReader> {
  const store = storeAt(from, '--from');
  const { id, isCopy } = await store.findIdentity().catch(error => {
    throw new Refused(`restore: ${error.message}: ${NO_STORE}`, { cause: error });
  });
  if (id !== copyOf)
    throw new UsageError(
      `file: is of ${copyOf}, and ${await store.shownUrl()} is ${id}: nothing was changed`,
    );
  if (isCopy) throw new Refused(`restore: ${await store.shownUrl()} is itself a copy: ${NO_STORE}`);
  return store.openOperatorReader();
}
