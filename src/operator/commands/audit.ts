import { Option } from 'commander';
import {
  ACTIONS,
  type Action,
  type AuditEntry,
  type AuditFilter,
  timeOf,
  walkAuditLog,
} from '../../service/roster/writes/audit-log.ts';
import { Command } from '../../shared/command/command.ts';
import { organizationOf, organizationOption, required } from '../../shared/command/options.ts';
import { printFitted, printTable } from '../../shared/command/terminal/print.ts';
import { shownJson } from '../../shared/command/terminal/shown.ts';
import { parseTimestamp, TIMESTAMP_RULE } from '../../shared/record/timestamp.ts';
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
      await withOperatorReader(database, async roster => {
        const pages = walkAuditLog(roster, filter);
        if (format === 'table') return printTable(HEADINGS, pages, rowOf);
        for await (const entries of pages)
          await printFitted(entries.map(entry => `${shownJson(entryJson(entry))}\n`).join(''));
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
