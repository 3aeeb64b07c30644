/** The tables of a report, as the text and the HTML page both show them. */
import type { ApiKeyRecord } from '../../client/client.ts';
import { lifecycleTime } from '../../shared/record/lifecycle.ts';
import { ageOf, daysFrom, daysOld } from './age.ts';
import type { ReportView } from './report-view.ts';
import { dayOf, MAX_SHOWN, number, workspaceText } from './sections.ts';
import { breachesByPerson, type PersonsBreaches, policyCounts } from './worklist.ts';

/** The column of a key's ID has it whole. A name is what anybody may choose. */
export interface ReportColumn<Row> {
  readonly kind: 'whole' | 'number' | 'name';
  readonly cell: (row: Row) => string;
}

/** By their headings. */
type Columns<Row> = Readonly<Record<string, ReportColumn<Row>>>;

export interface ReportTable {
  readonly columns: readonly { readonly name: string; readonly kind: ReportColumn<never>['kind'] }[];
  readonly batches: Iterable<readonly (readonly string[])[]>;
}

export function keysTable(
  { report: { generated_at, expired }, directory }: ReportView,
  batches: Iterable<readonly ApiKeyRecord[]>,
): ReportTable {
  const now = new Date(generated_at);
  return tableOf<ApiKeyRecord>(
    {
      ID: { kind: 'whole', cell: key => key.id },
      name: { kind: 'name', cell: key => key.name },
      created: { kind: 'whole', cell: key => dayOf(key.created_at) },
      days: { kind: 'number', cell: key => number(daysOld(ageOf(key.created_at, now) ?? 0)) },
      ...(expired !== undefined && {
        expires: { kind: 'whole', cell: key => daysFrom(lifecycleTime(key, 'expires_at'), now) },
      }),
      hint: { kind: 'whole', cell: key => key.partial_key_hint },
      creator: { kind: 'name', cell: ({ created_by: { id } }) => directory?.creatorName(id) ?? id },
      workspace: { kind: 'name', cell: ({ workspace_id }) => workspaceText(workspace_id, directory) },
    },
    batches,
  );
}

/** Those with the most keys that break a policy; `undefined`: no key does. */
export function peopleTable({ breaches, directory }: ReportView) {
  const people = breachesByPerson(breaches);
  if (people.length === 0) return undefined;
  const table = tableOf<PersonsBreaches>(
    {
      creator: { kind: 'name', cell: ({ creator: { id } }) => directory?.creatorName(id) ?? id },
      ...(directory && {
        mail: { kind: 'name', cell: ({ creator: { id } }) => directory.creator(id)?.mail ?? '' },
      }),
      keys: { kind: 'number', cell: ({ keys }) => number(keys) },
      break: { kind: 'whole', cell: policyCounts },
    },
    [people.slice(0, MAX_SHOWN)],
  );
  return { ...table, more: Math.max(0, people.length - MAX_SHOWN) };
}

function tableOf<Row>(columns: Columns<Row>, batches: Iterable<readonly Row[]>): ReportTable {
  const all = Object.entries(columns);
  const rows = function* () {
    for (const batch of batches) yield batch.map(row => all.map(([, { cell }]) => cell(row)));
  };
  return { columns: all.map(([name, { kind }]) => ({ name, kind })), batches: rows() };
}
