import { Option } from 'commander';
import type { ImportResult } from '../../service/roster/writes/imports.ts';
import { Command, UsageError } from '../../shared/command/command.ts';
import { EXIT_CODES } from '../../shared/command/exit-codes.ts';
import {
  dryRunOption,
  exactOption,
  formatOf,
  formatOption,
  jsonOption,
  organizationOption,
  ownerIdOf,
  requireCsv,
  required,
} from '../../shared/command/options.ts';
import { printJson, printLine } from '../../shared/command/terminal/print.ts';
import { CSV_COLUMNS } from '../../shared/formats/render-csv.ts';
import { RECORD_FIELDS } from '../../shared/record/api-key-record.ts';
import type { OrganizationId } from '../../shared/record/identifier.ts';
import type { LineOrganization } from '../import/line-organization.ts';
import { type FileChoices, type ImportChoices, importFile } from '../import/run-import.ts';
import { type WriteFlags, withWriter, writeOptions } from '../options/database.ts';

interface ImportFlags extends ImportChoices, FileChoices, WriteFlags {
  readonly organization?: string;
  readonly organizationField?: string;
}

export function importCommand(): Command {
  return new Command('import')
    .description('adds API keys to organizations and updates those they have: all lines, or none')
    .argument('<file>', 'JSON Lines or CSV, plain or gzip; - is standard input')
    .addOption(organizationOption())
    .addOption(
      new Option(
        '--organization-field <name>',
        "instead of --organization: the field or column in which each line names its organization's ID",
      ).conflicts('organization'),
    )
    .option(
      '--create-organizations',
      'create the organizations that lines name and that there are not; the name of each is its ID',
    )
    .addOptions(formatOption("the file's format (default: as its name says, else jsonl)"), exactOption())
    .option(
      '--rejects <file>',
      'import the valid lines, and write the refused ones with the reasons to this new file',
    )
    .addOptions(dryRunOption(), ...writeOptions(), jsonOption())
    .example('keyroster import examples/api-keys.jsonl --organization org_example')
    .action(async (file: string, flags: ImportFlags) => {
      const organization = organizationOf(flags);
      requireCsv(flags.exact, formatOf(flags.format, file) === 'csv');
      const result = await withWriter(flags, roster => importFile(roster, organization, file, flags));
      if (result.refused > 0) process.exitCode = EXIT_CODES.needsALook; // before the output, whose reader may leave
      if (flags.json) await printJson(resultJson(result));
      else printLine(summary(result, flags));
    });
}

function organizationOf({
  organization,
  organizationField: field,
  createOrganizations,
}: ImportFlags): LineOrganization {
  if ((organization === undefined) === (field === undefined))
    throw new UsageError('import: give --organization, or --organization-field');
  if (field === undefined && createOrganizations)
    throw new UsageError('--create-organizations: is for --organization-field');
  if (field === undefined) return { id: ownerIdOf<OrganizationId>('--organization', String(organization)) };
  const isOther = field !== '' && ![...RECORD_FIELDS, ...CSV_COLUMNS].some(name => name === field);
  return { field: required('--organization-field', isOther ? field : undefined, FIELD_RULE) };
}

const FIELD_RULE = 'must be the name of a field that a record does not have';

function resultJson({ importId, inserted, updated, unchanged, refused }: ImportResult) {
  return { import_id: importId, inserted, updated, unchanged, refused };
}

function summary(
  { importId, inserted, updated, unchanged, refused, organizations }: ImportResult,
  { organizationField, createOrganizations, dryRun = false }: ImportFlags,
): string {
  const created = createOrganizations
    ? ` (${organizations.filter(each => each.created).length} created)`
    : '';
  const where = organizationField === undefined ? '' : `, organizations ${organizations.length}${created}`;
  const counts = `inserted ${inserted}, updated ${updated}, unchanged ${unchanged}, refused ${refused}${where}`;
  if (dryRun) return `dry run, nothing was changed: ${counts}`;
  return importId === null ? counts : `${counts}, import ${importId}`;
}
