import { Command } from '../../../shared/command/command.ts';
import { jsonOption, numberOf } from '../../../shared/command/options.ts';
import { printError, printJson, printLine } from '../../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../../shared/command/terminal/progress-bar.ts';
import type { CheckReport, Finding } from '../../roster/check.ts';
import { databaseOption, warnedStoreAt } from '../options/database.ts';

interface CheckFlags {
  readonly database: string;
  readonly sample?: string;
  readonly json?: boolean;
}

const MAX_SAMPLE = 9_999_999;

export function checkCommand(): Command {
  return new Command('check')
    .description(
      "looks for what is wrong with the store: pages without their index, rows that can't be listed; only reads; exits with 1 when it finds something",
    )
    .option('--sample <number>', 'look at only this many API keys, spread over all')
    .addOptions(databaseOption(), jsonOption())
    .example('keyroster check --sample 10000')
    .action(async ({ database, sample, json }: CheckFlags) => {
      const number = sample === undefined ? undefined : numberOf('--sample', sample, 1, MAX_SAMPLE);
      const store = await warnedStoreAt(database);
      const bar = new ProgressBar();
      const onProgress = (keys: number) => bar.draw(undefined, 'reading', keys);
      const { id } = await store.findIdentity();
      const report = await store.check({ sample: number, onProgress }).finally(() => bar.clear());
      const { length } = report.findings;
      if (length > 0) process.exitCode = 1; // before anything is printed, whose reader may leave
      if (json) await printJson({ store: id, ...jsonOf(report) });
      else printReport(report, number !== undefined);
      if (length > 0) printError(`keyroster: ${length === 1 ? '1 thing is' : `${length} things are`} wrong`);
    });
}

function jsonOf({ findings, looked, notLookedAt }: CheckReport) {
  return { findings, looked, not_looked_at: notLookedAt };
}

function printReport({ findings, looked, notLookedAt }: CheckReport, isSample: boolean): void {
  for (const finding of findings) {
    printLine(`${finding.about}: ${finding.problem}${affected(finding)}`);
    if (finding.fix !== undefined) printLine(`  ${finding.fix}`);
  }
  for (const what of notLookedAt) printLine(`not looked at: ${what}`);
  const keys = `${counted(looked.keys)}${isSample ? ' (a sample)' : ''}`;
  const nothing = findings.length === 0 ? ': nothing is wrong' : '';
  const indexes = looked.filters > 0 ? ` and the indexes for ${looked.filters} combinations of filters` : '';
  printLine(`looked at ${keys}${indexes}${nothing}`);
}

function affected({ count, examples = [] }: Finding): string {
  if (count === undefined) return '';
  return ` (${[counted(count), ...(examples.length > 0 ? [`such as ${examples.join(', ')}`] : [])].join(', ')})`;
}

function counted(keys: number): string {
  return `${keys.toLocaleString('en')} API key${keys === 1 ? '' : 's'}`;
}
