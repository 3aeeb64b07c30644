import { Option } from 'commander';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { printLine } from '../../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../../shared/command/terminal/progress-bar.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { StoreUnavailable } from '../../roster/errors.ts';
import type { OperatorReader } from '../../roster/roster.ts';
import { actorOf, storeAt, type WriteFlags, withWriter, writeOptions } from '../options/database.ts';
import { repeatAll } from '../restore/repeat.ts';
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
    .option('--audit-log <file>', 'where that store is lost: what "audit --format jsonl" wrote')
    .option('--confirm', 'let the copy in --database be served: what was not repeated is looked into')
    .addOptions(...writeOptions())
    .example('keyroster restore keyroster-2024-10-30.db')
    .action(restore);
}

async function restore(file: string | undefined, { confirm, ...flags }: RestoreFlags): Promise<void> {
  const { database, from, auditLog, actor } = flags;
  if (Boolean(confirm) === [file, from, auditLog].some(given => given !== undefined))
    throw new UsageError('file: give it, --from or --audit-log; or afterwards --confirm alone');
  if (confirm) return withWriter(flags, copy => copy.confirmRestore());
  if (file === undefined) return tell(await repeatSince(flags));
  let left: readonly string[] = [];
  const before = await storeAt(database).restore(file, actorOf(actor), async prepared => {
    left = await repeatSince({ ...flags, database: prepared, from: from ?? database });
  });
  if (before !== null) printLine(`the store before is now ${before}`);
  tell(left);
}

const NOT_REPEATED = 'serve refuses the store until "keyroster restore --confirm", as this is not repeated:';

function tell(left: readonly string[]): void {
  if (left.length > 0) process.exitCode = EXIT_CODES.needsALook; // before anything is printed, whose reader may leave
  printLine(left.length > 0 ? NOT_REPEATED : 'all that ended since is repeated');
  for (const line of left) printLine(`  ${line}`);
}

/** Returns what is left to do, a line each. Where nothing is, the copy is served. */
async function repeatSince({ from, auditLog, ...copyAt }: RestoreFlags): Promise<readonly string[]> {
  const { id, isCopy } = await storeAt(copyAt.database).findIdentity();
  const left: string[] = [];
  let old: OperatorReader | null = null;
  const since = async (copy: OperatorReader) => {
    if (auditLog !== undefined) {
      left.push('what the file of --audit-log has not: before its first entry and after its last');
      return entriesSince(copy, entriesInFile(auditLog));
    }
    try {
      old = await openOld(from ?? '', id);
      return await entriesSince(copy, entriesOf(old));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof StoreUnavailable)) throw error;
      left.push(
        `anything, as the store before can't be read (${error.message}): give --audit-log, or look into your copies of it`,
      );
      return { entries: [], hasAll: true };
    }
  };
  const bar = new ProgressBar();
  try {
    return await withWriter(copyAt, async copy => {
      const { entries, hasAll } = await since(copy);
      if (!isCopy && !hasAll)
        throw new Refused('restore: --database is no copy, or was written since: nothing was changed');
      left.push(...(await repeatAll(entries, { copy, old }, done => bar.draw(undefined, 'repeating', done))));
      if (!copyAt.database.startsWith('sqlite:'))
        left.push('what was written by SQL, which no log has: let issuers send it again');
      if (left.length === 0) await copy.confirmRestore();
      return left;
    });
  } finally {
    bar.clear();
    await (old as OperatorReader | null)?.close();
  }
}

/** Throws `Refused` where it can't be read. */
async function openOld(from: string, copyOf: string): Promise<OperatorReader> {
  const store = storeAt(from, '--from');
  const { id, isCopy } = await store.findIdentity();
  if (id !== copyOf)
    throw new UsageError(
      `file: the copy is of ${copyOf}, and ${await store.shownUrl()} is ${id}: nothing was changed`,
    );
  if (isCopy) throw new Refused('it is itself a copy that was not confirmed');
  return store.openOperatorReader();
}
