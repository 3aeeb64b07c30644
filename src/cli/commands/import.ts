import { Command, Option } from 'commander';
import type { ImportCounts } from '../../roster/counts.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import { DEFAULT_VENDOR } from '../../roster/vendor.ts';
import { adminKeyFileOption, readAdminKey } from '../admin/admin-key-source.ts';
import { type FileChoices, type ImportChoices, importFile, importService } from '../import/run-import.ts';
import { actorOption } from '../options/actor.ts';
import { databaseOption, type WriteFlags, withWriter } from '../options/database.ts';
import {
  exactOption,
  formatOption,
  idOf,
  jsonOption,
  organizationOption,
  vendorOf,
} from '../options/shared-options.ts';
import { UsageError } from '../options/usage-error.ts';
import { waitOption } from '../options/wait.ts';
import { printJson, printLine } from '../terminal/print.ts';

interface ImportFlags extends ImportChoices, FileChoices, WriteFlags {
  readonly organization: string;
  readonly from?: string;
  readonly fromVendor: string;
  readonly adminKeyFile?: string;
  readonly json?: boolean;
}

export function importCommand(): Command {
  return new Command('import')
    .description('adds API keys to an organization and updates those it has: all lines, or none')
    .argument('[file]', 'JSON Lines or CSV, plain or gzip; - is standard input')
    .addOption(organizationOption().makeOptionMandatory())
    .addOption(formatOption("the file's format (default: as its name says, else jsonl)"))
    .addOption(exactOption())
    .addOption(
      new Option(
        '--map <file>',
        'JSON: which fields of the file are those of the record, and in which form',
      ).conflicts('from'),
    )
    .addOption(
      new Option(
        '--from <url>',
        'instead of a file: another service with this API, read with its admin key',
      ).conflicts('format'),
    )
    .option(
      '--from-vendor <name>',
      "the service maker: prefix of that service's version header",
      DEFAULT_VENDOR,
    )
    .addOption(adminKeyFileOption())
    .option(
      '--rejects <file>',
      'import the valid lines, and write the refused ones with the reasons to this new file',
    )
    .addOption(new Option('--dry-run', 'tell what would change, and change nothing'))
    .addOption(databaseOption())
    .addOption(actorOption())
    .addOption(waitOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster import examples/api-keys.jsonl --organization org_example')
    .action(async (file: string | undefined, flags: ImportFlags) => {
      const organization = idOf<OrganizationId>('--organization', flags.organization);
      const counts = await importFlagged(organization, file, flags);
      if (flags.json) await printJson(counts);
      else printLine(summary(counts, flags.dryRun === true));
    });
}

async function importFlagged(
  organization: OrganizationId,
  file: string | undefined,
  flags: ImportFlags,
): Promise<ImportCounts> {
  if ((file === undefined) === (flags.from === undefined))
    throw new UsageError('import: give a file, or a service with --from');
  if (file !== undefined) return withWriter(flags, roster => importFile(roster, organization, file, flags));
  const vendor = vendorOf(flags.fromVendor, '--from-vendor');
  const { clientOf } = await import('../admin/service-client.ts'); // a file needs no client
  const client = clientOf('--from', String(flags.from), vendor, await readAdminKey(flags.adminKeyFile));
  return withWriter(flags, roster => importService(roster, organization, client, flags));
}

function summary({ inserted, updated, unchanged, refused }: ImportCounts, dryRun: boolean): string {
  const counts = `inserted ${inserted}, updated ${updated}, unchanged ${unchanged}, refused ${refused}`;
  return dryRun ? `dry run, nothing was changed: ${counts}` : counts;
}
