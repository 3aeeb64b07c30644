import { Option } from 'commander';
import { Command } from '../../../shared/command/command.ts';
import { organizationOf, organizationOption, required } from '../../../shared/command/options.ts';
import { coloured } from '../../../shared/command/terminal/capabilities.ts';
import { fittedLine, fittingWidths } from '../../../shared/command/terminal/fitted-table.ts';
import { printFitted } from '../../../shared/command/terminal/print.ts';
import { shown, shownJson } from '../../../shared/command/terminal/shown.ts';
import { parseTimestamp, TIMESTAMP_RULE } from '../../../shared/record/timestamp.ts';
import {
  ACTIONS,
  type Action,
  type AuditEntry,
  type AuditFilter,
  timeOf,
  walkAuditLog,
} from '../../roster/audit-log.ts';
import { actorOf, databaseOption, withOperatorReader } from '../options/database.ts';

interface AuditFlags {
  readonly organization?: string;
  readonly action?: Action;
  readonly actor?: string;
  readonly since?: string;
  readonly until?: string;
  readonly format: 'table' | 'jsonl';
  readonly database: string;
}

export function auditCommand(): Command {
  return new Command('audit')
    .description('lists what operators did, oldest first: when, who, what')
    .addOption(organizationOption())
    .addOption(new Option('--action <action>', 'only this action').choices(ACTIONS))
    .option('--actor <name>', 'only what this actor did')
    .option('--since <time>', 'RFC 3339 time: only from then on')
    .option('--until <time>', 'RFC 3339 time: only before it')
    .addOption(new Option('--format <format>', 'what to print').choices(['table', 'jsonl']).default('table'))
    .addOption(databaseOption())
    .example('keyroster audit --organization org_example --since 2026-11-01T00:00:00Z')
    .action(async ({ format, database, ...flags }: AuditFlags) => {
      const filter = filterOf(flags);
      const print = format === 'jsonl' ? printLines : process.stdout.isTTY ? tablePrinter() : printRows;
      await withOperatorReader(database, async roster => {
        for await (const entries of walkAuditLog(roster, filter)) await print(entries);
      });
    });
}

function filterOf({ organization, action, actor, since, until }: Partial<AuditFlags>): AuditFilter {
  return {
    action,
    organizationId: organizationOf(organization) ?? undefined,
    actor: actor === undefined ? undefined : actorOf(actor),
    since: since === undefined ? undefined : required('--since', parseTimestamp(since), TIMESTAMP_RULE),
    until: until === undefined ? undefined : required('--until', parseTimestamp(until), TIMESTAMP_RULE),
  };
}

type Print = (entries: readonly AuditEntry[]) => Promise<void>;

const printLines: Print = entries =>
  printFitted(entries.map(entry => `${shownJson(entryJson(entry))}\n`).join(''));

const printRows: Print = entries =>
  printFitted(entries.map(entry => `${rowOf(entry).map(shown).join('\t')}\n`).join(''));

/** Nothing is cut, as a cut ID or count would tell nothing. Each page has widths of its own: the table begins before all are known. */
function tablePrinter(): Print {
  let heading = true;
  return async entries => {
    const rows = entries.map(rowOf);
    const widths = fittingWidths([HEADINGS, ...rows], Number.POSITIVE_INFINITY);
    if (heading) await printFitted(fittedLine(HEADINGS, widths, cell => coloured('bold', cell)));
    heading = false;
    await printFitted(rows.map(row => fittedLine(row, widths)).join(''));
  };
}

const HEADINGS = ['TIME', 'ACTOR', 'DATABASE USER', 'ACTION', 'ORGANIZATION', 'SUBJECT', 'DETAILS'];

function rowOf(entry: AuditEntry): string[] {
  const details = Object.entries(entry.details).map(([name, value]) => `${name} ${value ?? '-'}`);
  return [
    timeOf(entry),
    entry.actor,
    entry.databaseUser ?? '-',
    entry.action,
    entry.organizationId ?? '-',
    entry.subjectId ?? '-',
    details.join(', ') || '-',
  ];
}

function entryJson(entry: AuditEntry) {
  return {
    number: entry.number,
    time: timeOf(entry),
    actor: entry.actor,
    database_user: entry.databaseUser,
    action: entry.action,
    organization_id: entry.organizationId,
    subject_id: entry.subjectId,
    details: entry.details,
  };
}
