import { walkPages } from '../../service/roster/walks.ts';
import { type ImportEntry, type RevertOptions, revertCounts } from '../../service/roster/writes/imports.ts';
import { Command } from '../../shared/command/command.ts';
import { jsonOption, keyIdOf, organizationOf, organizationOption } from '../../shared/command/options.ts';
import { printJson, printJsonArray, printLine, printTable } from '../../shared/command/terminal/print.ts';
import type { ImportId } from '../../shared/record/identifier.ts';
import { formatTimeOrNull, formatTimestamp } from '../../shared/record/timestamp.ts';
import {
  databaseOption,
  type WriteFlags,
  withOperatorReader,
  withWriter,
  writeOptions,
} from '../options/database.ts';

export function importsCommand(): Command {
  return new Command('imports')
    .description('the imports so far, and how to take one back')
    .addCommand(listCommand())
    .addCommand(revertCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('lists imports, oldest first, with a line for each organization')
    .addOptions(organizationOption(), databaseOption(), jsonOption())
    .example('keyroster imports list --organization org_example')
    .action(async (flags: { organization?: string; database: string; json?: boolean }) => {
      const organization = organizationOf(flags.organization);
      await withOperatorReader(flags.database, async roster => {
        if (organization !== null) await roster.findOrganization(organization);
        const pages = walkPages<ImportEntry>((after, limit) =>
          roster.listImports(organization, after, limit),
        );
        return flags.json ? printJsonArray(pages, importJson) : printTable(HEADINGS, pages, importRow);
      });
    });
}

const HEADINGS = ['ID', 'TIME', 'ACTOR', 'ORGANIZATION', 'INSERTED', 'UPDATED', 'UNCHANGED', 'REVERTED'];

function importRow(each: ImportEntry): string[] {
  return [
    each.id,
    formatTimestamp(each.recordedAt),
    each.actor,
    each.organizationId,
    String(each.inserted),
    String(each.updated),
    String(each.unchanged),
    formatTimeOrNull(each.revertedAt) ?? '-',
  ];
}

function importJson(each: ImportEntry) {
  return {
    id: each.id,
    time: formatTimestamp(each.recordedAt),
    actor: each.actor,
    organization_id: each.organizationId,
    inserted: each.inserted,
    updated: each.updated,
    unchanged: each.unchanged,
    reverted_at: formatTimeOrNull(each.revertedAt),
  };
}

function revertCommand(): Command {
  return new Command('revert')
    .description(
      'deletes the API keys that an import inserted and puts back the statuses that it changed: all, or none',
    )
    .argument('<id>', "the import's ID")
    .option('--dry-run', 'tell what would change, and change nothing')
    .option('--skip-changed', 'leave the API keys that something else changed since as they are')
    .addOptions(...writeOptions(), jsonOption())
    .example('keyroster imports revert import_01K8RZ3BdYqkTn5WvS7Xaf --dry-run')
    .action(async (text: string, flags: WriteFlags & RevertOptions) => {
      const id = keyIdOf<ImportId>('id', text);
      const { dryRun = false, skipChanged = false } = flags;
      const organizations = await withWriter(flags, roster =>
        roster.revertImport(id, { dryRun, skipChanged }),
      );
      const result = { ...revertCounts(organizations), organizations: organizations.length };
      const counts = Object.entries(result)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ');
      if (flags.json) await printJson(result);
      else printLine(dryRun ? `dry run, nothing was changed: ${counts}` : counts);
    });
}
