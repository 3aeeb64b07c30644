import { Command, Option } from 'commander';
import type { ImportId, OrganizationId } from '../../roster/identifier.ts';
import { type ListedImport, type RevertOptions, revertCounts, walkImports } from '../../roster/imports.ts';
import { formatTimeOrNull, formatTimestamp } from '../../roster/timestamp.ts';
import { actorOption } from '../options/actor.ts';
import { databaseOption, type WriteFlags, withOperatorReader, withWriter } from '../options/database.ts';
import { idOf, jsonOption, organizationOption } from '../options/shared-options.ts';
import { waitOption } from '../options/wait.ts';
import { printJson, printJsonArray, printLine, printTable } from '../terminal/print.ts';

export function importsCommand(): Command {
  return new Command('imports')
    .description('the imports so far, and how to take one back')
    .addCommand(listCommand())
    .addCommand(revertCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('lists imports, oldest first')
    .addOption(organizationOption())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster imports list --organization org_example')
    .action(async (flags: { organization?: string; database: string; json?: boolean }) => {
      const organization =
        flags.organization === undefined ? null : idOf<OrganizationId>('--organization', flags.organization);
      await withOperatorReader(flags.database, async roster => {
        if (organization !== null) await roster.findOrganization(organization);
        const pages = walkImports(roster, organization);
        return flags.json ? printJsonArray(pages, importJson) : printTable(HEADINGS, pages, importRow);
      });
    });
}

const HEADINGS = ['ID', 'TIME', 'ACTOR', 'ORGANIZATION', 'INSERTED', 'UPDATED', 'UNCHANGED', 'REVERTED'];

function importRow({ organizations, ...each }: ListedImport): string[] {
  return [
    each.id,
    formatTimestamp(each.recordedAt),
    each.actor,
    typeof organizations === 'number' ? `${organizations} organizations` : organizations,
    String(each.inserted),
    String(each.updated),
    String(each.unchanged),
    formatTimeOrNull(each.revertedAt) ?? '-',
  ];
}

function importJson({ organizations, ...each }: ListedImport) {
  const isOne = typeof organizations !== 'number';
  return {
    id: each.id,
    time: formatTimestamp(each.recordedAt),
    actor: each.actor,
    organization_id: isOne ? organizations : null,
    organizations: isOne ? 1 : organizations,
    inserted: each.inserted,
    updated: each.updated,
    unchanged: each.unchanged,
    reverted_at: formatTimeOrNull(each.revertedAt),
  };
}

function revertCommand(): Command {
  return new Command('revert')
    .description(
      'deletes the API keys that an import inserted and restores those that it updated: all, or none',
    )
    .argument('<id>', "the import's ID")
    .addOption(new Option('--dry-run', 'tell what would change, and change nothing'))
    .addOption(
      new Option('--skip-changed', 'leave the API keys that something else changed since as they are'),
    )
    .addOption(databaseOption())
    .addOption(actorOption())
    .addOption(waitOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster imports revert import_01K8RZ3BdYqkTn5WvS7Xaf --dry-run')
    .action(async (text: string, flags: WriteFlags & RevertOptions & { json?: boolean }) => {
      const id = idOf<ImportId>('id', text);
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
