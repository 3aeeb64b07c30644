import type { CheckReport, Finding } from '../../service/roster/check.ts';
import { Command } from '../../shared/command/command.ts';
import { jsonOption } from '../../shared/command/options.ts';
import { printError, printJson, printLine } from '../../shared/command/terminal/print.ts';
import { checkStore } from '../check-store.ts';
import { databaseOption, warnedStoreAt } from '../options/database.ts';

export function checkCommand(): Command {
  return new Command('check')
    .description(
      "looks for what is wrong with the store: pages without their index, rows that can't be listed; only reads; exits with 1 when it finds something",
    )
    .addOptions(databaseOption(), jsonOption())
    .example('keyroster check')
    .action(async ({ database, json }: { database: string; json?: boolean }) => {
      const store = await warnedStoreAt(database);
      const { id } = await store.findIdentity();
      const { findings, keys, notLookedAt } = await checkStore(store);
      const { length } = findings;
      if (length > 0) process.exitCode = 1; // before anything is printed, whose reader may leave
      if (json) await printJson({ store: id, findings, keys, not_looked_at: notLookedAt });
      else printReport({ findings, keys, notLookedAt });
      if (length > 0) printError(`keyroster: ${length === 1 ? '1 thing is' : `${length} things are`} wrong`);
    });
}

function printReport({ findings, keys, notLookedAt }: CheckReport): void {
  for (const finding of findings) {
    printLine(`${finding.about}: ${finding.problem}${affected(finding)}`);
    printLine(`  ${finding.fix}`);
  }
  for (const what of notLookedAt) printLine(`not looked at: ${what}`);
  printLine(`looked at ${counted(keys)}${findings.length === 0 ? ': nothing is wrong' : ''}`);
}

function affected({ count, examples = [] }: Finding): string {
  if (count === undefined) return '';
  return ` (${counted(count)}${examples.length > 0 ? `, such as ${examples.join(', ')}` : ''})`;
}

function counted(keys: number): string {
  return `${keys.toLocaleString('en')} API key${keys === 1 ? '' : 's'}`;
}
