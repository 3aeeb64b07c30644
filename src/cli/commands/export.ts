import { Command } from 'commander';
import type { Format } from '../../formats/format.ts';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../formats/render-csv.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import type { PageItem } from '../../roster/page.ts';
import type { RosterWriter } from '../../roster/roster.ts';
import { walkRoster } from '../../roster/walk-roster.ts';
import { databaseOption, withOperatorReader } from '../options/database.ts';
import { exactOption, formatOf, formatOption, idOf, organizationOption } from '../options/shared-options.ts';
import { csvRowToPrint, printData } from '../terminal/print.ts';

export function exportCommand(): Command {
  return new Command('export')
    .description(
      "writes an organization's roster to standard output, newest first, in a format that import reads",
    )
    .addOption(organizationOption().makeOptionMandatory())
    .addOption(formatOption('what to write', 'jsonl'))
    .addOption(exactOption())
    .addOption(databaseOption())
    .addHelpText(
      'after',
      '\nExample: keyroster export --organization org_example --format csv > api-keys.csv',
    )
    .action(async (flags: { organization: string; format: string; exact?: boolean; database: string }) => {
      const organization = idOf<OrganizationId>('--organization', flags.organization);
      const format = formatOf(flags.format, '');
      await withOperatorReader(flags.database, roster =>
        exportRoster(roster, organization, format, flags.exact),
      );
    });
}

/** A page at a time, so that memory doesn't grow with the roster. */
async function exportRoster(
  roster: Pick<RosterWriter, 'findOrganization' | 'listApiKeys' | 'listFields'>,
  organization: OrganizationId,
  format: Format,
  exact: boolean | undefined,
): Promise<void> {
  await roster.findOrganization(organization);
  const columns = [...CSV_COLUMNS, ...(await roster.listFields()).map(({ name }) => name)];
  if (format === 'csv') await printData(csvHeader(columns));
  const csvRow = ({ record }: PageItem) =>
    csvRowToPrint(renderCsvRow(JSON.parse(record), { exact, columns }));
  const render = format === 'csv' ? csvRow : jsonLine;
  for await (const items of walkRoster(roster, organization)) await printData(items.map(render).join(''));
}

const jsonLine = ({ record }: PageItem) => `${record}\n`;
