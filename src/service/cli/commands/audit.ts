import { Option } from 'commander';
import { Command } from '../../../shared/command/command.ts';
import { organizationOf, organizationOption, required } from '../../../shared/command/options.ts';
import { batchedTable } from '../../../shared/command/terminal/fitted-columns.ts';
import { printFitted } from '../../../shared/command/terminal/print.ts';
import { shownJson } from '../../../shared/command/terminal/shown.ts';
import { formatTimestamp, parseTimestamp, TIMESTAMP_RULE } from '../../../shared/record/timestamp.ts';
import {
  ACTIONS,
  type Action,
  type AuditEntry,
  type AuditFilter,
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
      const print = format === 'jsonl' ? printLines : tablePrinter();
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

/** Nothing is cut, as a cut ID or count would tell nothing. */
function tablePrinter(): Print {
  const text = batchedTable(HEADINGS.map(heading => ({ name: heading, heading, cut: 'nothing', min: 0 })));
  return entries => printFitted(text(entries.map(rowOf)));
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

/** A time that no calendar has, which was written past Keyroster, is shown as its microseconds. */
function timeOf({ recordedAt }: AuditEntry): string {
  try {
    return formatTimestamp(recordedAt);
  } catch {
    return String(recordedAt);
  }
}
