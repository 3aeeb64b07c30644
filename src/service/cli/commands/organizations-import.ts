import { Command } from '../../../shared/command/command.ts';
import { dryRunOption, jsonOption } from '../../../shared/command/options.ts';
import { type OrganizationChanges, parseOrganization } from '../../roster/given-organization.ts';
import { allLines } from '../import/all-lines.ts';
import { printCounts } from '../import/print-counts.ts';
import { requireNoneRefused } from '../import/refusals.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';

export function importCommand(): Command {
  return new Command('import')
    .description(
      'creates the organizations of a file, and renames those that have another name: all, or none',
    )
    .argument(
      '<file>',
      'JSON Lines of id, name and created_at (optional), plain or gzip; - is standard input',
    )
    .addOptions(dryRunOption(), ...writeOptions(), jsonOption())
    .example('keyroster organizations import organizations.jsonl')
    .action(async (file: string, flags: WriteFlags & { dryRun?: boolean; json?: boolean }) => {
      const dryRun = flags.dryRun === true;
      const changes = await withWriter(flags, async roster =>
        roster.importOrganizations(await allLines(file, parseOrganization), { dryRun }),
      );
      requireNoneRefused(changes.refused);
      await printCounts(countsOf(changes), flags);
    });
}

function countsOf({ created, renamed, unchanged }: OrganizationChanges) {
  return { inserted: created.length, updated: renamed.length, unchanged, refused: 0 };
}
