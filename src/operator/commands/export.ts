import { Option } from 'commander';
import type { PageItem } from '../../service/roster/pages/page.ts';
import type { Snapshot } from '../../service/roster/roster.ts';
import { walkByCreation, walkRoster } from '../../service/roster/walks.ts';
import { Command, UsageError } from '../../shared/command/command.ts';
import {
  exactOption,
  formatOf,
  formatOption,
  organizationOf,
  organizationOption,
  requireCsv,
} from '../../shared/command/options.ts';
import { csvRowToPrint, printData } from '../../shared/command/terminal/print.ts';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../shared/formats/render-csv.ts';
import type { OrganizationId } from '../../shared/record/identifier.ts';
import { databaseOption, withOperatorReader } from '../options/database.ts';

interface ExportFlags {
  readonly organization?: string;
  readonly allOrganizations?: boolean;
  readonly format: string;
  readonly exact?: boolean;
  readonly database: string;
}

export function exportCommand(): Command {
  return new Command('export')
    .description(
      "writes an organization's roster to standard output, newest first, in a format that import reads",
    )
    .addOption(organizationOption())
    .addOption(
      new Option(
        '--all-organizations',
        `instead: the rosters of all organizations, each line with its ${ORGANIZATION_FIELD}`,
      ).conflicts('organization'),
    )
    .addOptions(formatOption('what to write', 'jsonl'), exactOption(), databaseOption())
    .example('keyroster export --organization org_example --format csv > api-keys.csv')
    .action(
      async ({ organization, allOrganizations = false, format, exact = false, database }: ExportFlags) => {
        if ((organization === undefined) !== allOrganizations)
          throw new UsageError('export: give --organization, or --all-organizations');
        const only = organizationOf(organization);
        const isCsv = formatOf(format, '') === 'csv';
        requireCsv(exact, isCsv);
        await withOperatorReader(database, roster =>
          roster.readSnapshot(async snapshot => {
            if (only !== null) await snapshot.findOrganization(only);
            const declared = (await snapshot.listFields()).map(({ name }) => name);
            const columns = [...(only === null ? [ORGANIZATION_FIELD] : []), ...CSV_COLUMNS, ...declared];
            if (isCsv) await printData(csvHeader(columns));
            const render = isCsv ? csvRow(columns, exact) : jsonLine;
            if (only !== null) await exportRoster(snapshot, only, item => render(item, null));
            else await exportAll(snapshot, render);
          }),
        );
      },
    );
}

/** The field, or the column, that names the organization of a line. It stands first. */
const ORGANIZATION_FIELD = 'organization_id';

async function exportAll(snapshot: Snapshot, render: Render): Promise<void> {
  for await (const organizations of walkByCreation((...page) => snapshot.listOrganizations(...page)))
    for (const { id, deletedAt } of organizations)
      if (deletedAt === null) await exportRoster(snapshot, id, item => render(item, id));
}

/** A page at a time, so that memory doesn't grow with the roster. */
async function exportRoster(
  snapshot: Snapshot,
  organization: OrganizationId,
  render: (item: PageItem) => string,
): Promise<void> {
  for await (const items of walkRoster(snapshot, organization)) await printData(items.map(render).join(''));
}

/** A line with the organization's ID, or without (`null`). */
type Render = (item: PageItem, organization: OrganizationId | null) => string;

const csvRow =
  (columns: readonly string[], exact: boolean): Render =>
  ({ record }, organization) =>
    csvRowToPrint(
      renderCsvRow({ ...JSON.parse(record), [ORGANIZATION_FIELD]: organization }, { exact, columns }),
    );

const jsonLine: Render = ({ record }, organization) =>
  organization === null ? `${record}\n` : `{"${ORGANIZATION_FIELD}":"${organization}",${record.slice(1)}\n`;
