import { Option } from 'commander';
import { Command, UsageError } from '../../../shared/command/command.ts';
import { EXIT_CODES } from '../../../shared/command/exit-codes.ts';
import { printLine } from '../../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../../shared/command/terminal/progress-bar.ts';
import { Refused } from '../../../shared/record/faults.ts';
import { timeOf } from '../../roster/audit-log.ts';
import type { OperatorReader } from '../../roster/roster.ts';
import { actorOf, storeAt, type WriteFlags, withWriter, writeOptions } from '../options/database.ts';
import { repeatAll } from '../restore/repeat.ts';
import { entriesInFile, entriesOf, entriesSince, type Since } from '../restore/since.ts';

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
    .option('--audit-log <file>', 'in the place of that store\'s: what "audit --format jsonl" wrote')
    .option('--confirm', 'let the copy in --database be served: what was not repeated is looked into')
    .addOptions(...writeOptions())
    .example('keyroster restore keyroster-2024-10-30.db')
    .action(restore);
}

async function restore(file: string | undefined, { confirm, ...flags }: RestoreFlags): Promise<void> {
  const { database, auditLog, actor, from = auditLog === undefined ? database : undefined } = flags;
  if (Boolean(confirm) === [file, flags.from, auditLog].some(given => given !== undefined))
    throw new UsageError('file: give it, --from or --audit-log; or afterwards --confirm alone');
  if (confirm) return withWriter(flags, copy => copy.confirmRestore());
  if (file === undefined) return tell(await repeatSince(flags));
  let left: readonly string[] = [];
  const before = await storeAt(database).restore(file, actorOf(actor), async prepared => {
    left = await repeatSince({ ...flags, database: prepared, from });
  });
  if (before !== null) printLine(`the store before is now ${before}`);
  tell(left);
}

function tell(left: readonly string[]): void {
  if (left.length === 0) printLine('all that ended since is repeated');
  else process.exitCode = EXIT_CODES.needsALook; // before anything is printed, whose reader may leave
  for (const line of left) printLine(line);
}

/** Returns what is left to do, a line each. Where nothing is, the copy is served. */
async function repeatSince({ from, auditLog, ...copyAt }: RestoreFlags): Promise<readonly string[]> {
  const { id, isCopy } = await storeAt(copyAt.database).findIdentity();
  const old = from === undefined ? null : await openOld(from, id);
  const bar = new ProgressBar();
  try {
    return await withWriter(copyAt, async copy => {
      const log = old && auditLog === undefined ? entriesOf(old) : entriesInFile(auditLog ?? '');
      const { entries, hasAll, ...reach } = await entriesSince(copy, log);
      if (!isCopy && !hasAll)
        throw new Refused('restore: --database is no copy, or was written since: nothing was changed');
      const left = await repeatAll(entries, { copy, old }, done => bar.draw(undefined, 'repeating', done));
      if (auditLog !== undefined) left.push(beyond(reach));
      if (!copyAt.database.startsWith('sqlite:'))
        left.push('what was written by SQL: let issuers send it again');
      if (left.length === 0) await copy.confirmRestore();
      else left.unshift('serve refuses the copy until "keyroster restore --confirm". Not repeated are:');
      return left;
    });
  } finally {
    bar.clear();
    await old?.close();
  }
}

/** What no log tells of. */
function beyond({ meets, last }: Pick<Since, 'meets' | 'last'>): string {
  if (!last) return 'what ended since, as --audit-log is empty';
  return `what ended ${meets ? '' : 'before the first entry of --audit-log, and '}after ${timeOf(last)}, where --audit-log ends`;
}

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
