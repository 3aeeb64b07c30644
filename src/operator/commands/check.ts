import { Option } from 'commander';
import type { CheckReport, Finding } from '../../service/roster/check.ts';
import { Command } from '../../shared/command/command.ts';
import { jsonOption } from '../../shared/command/options.ts';
import { keepHeapSmall } from '../../shared/command/small-heap.ts';
import { printError, printJson, printLine } from '../../shared/command/terminal/print.ts';
import { checkStore } from '../check-store.ts';
import { databaseOption, warnedStoreAt } from '../options/database.ts';
import { certificateEnd, newestBackup } from './check-upkeep.ts';

const UNCONFIRMED: Finding = {
  about: 'store',
  problem: 'it is a copy by a backup or a dump, which serve refuses',
  fix: 'run "keyroster restore", which repeats what ended since: docs/runbooks.md#restore-a-backup',
};

type Flags = { database: string; backupFolder?: string; tlsCert?: string; json?: boolean };

export function checkCommand(): Command {
  return new Command('check')
    .description(
      "looks for what is wrong with the store: pages without their index, rows that can't be listed; only reads; exits with 1 when it finds something",
    )
    .addOptions(databaseOption(), jsonOption())
    .addOption(
      new Option('--tls-cert <path>', 'when the certificate of serve ends').env('KEYROSTER_TLS_CERT'),
    )
    .addOption(
      new Option('--backup-folder <path>', 'how old is its newest file').env('KEYROSTER_BACKUP_FOLDER'),
    )
    .example('keyroster check')
    .action(async ({ database, backupFolder, tlsCert, json }: Flags) => {
      const store = await warnedStoreAt(database);
      const { id, isCopy } = await store.findIdentity();
      keepHeapSmall();
      const upkeep = [
        ...(isCopy ? [UNCONFIRMED] : []),
        ...(backupFolder === undefined ? [] : [newestBackup(backupFolder)]),
        ...(tlsCert === undefined ? [] : [certificateEnd(tlsCert)]),
      ];
      const { keys, notLookedAt, ...found } = await checkStore(store);
      const told = upkeep.filter(each => typeof each === 'string');
      const findings = [...found.findings, ...upkeep.filter(each => typeof each !== 'string')];
      const { length } = findings;
      if (length > 0) process.exitCode = 1; // before anything is printed, whose reader may leave
      if (json) await printJson({ store: id, findings, keys, not_looked_at: notLookedAt, upkeep: told });
      else printReport({ findings, keys, notLookedAt }, told);
      if (length > 0) printError(`keyroster: ${length === 1 ? '1 thing is' : `${length} things are`} wrong`);
    });
}

function printReport({ findings, keys, notLookedAt }: CheckReport, told: readonly string[]): void {
  for (const finding of findings) {
    printLine(`${finding.about}: ${finding.problem}${affected(finding)}`);
    printLine(`  ${finding.fix}`);
  }
  for (const what of notLookedAt) printLine(`not looked at: ${what}`);
  for (const line of told) printLine(line);
  printLine(`looked at ${counted(keys)}${findings.length === 0 ? ': nothing is wrong' : ''}`);
}

function affected({ count, examples = [] }: Finding): string {
  if (count === undefined) return '';
  return ` (${counted(count)}${examples.length > 0 ? `, such as ${examples.join(', ')}` : ''})`;
}

function counted(keys: number): string {
  return `${keys.toLocaleString('en')} API key${keys === 1 ? '' : 's'}`;
}
