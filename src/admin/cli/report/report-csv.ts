import type { ApiKeyRecord } from '../../../client/client.ts';
import { csvRowToPrint } from '../../../shared/command/terminal/print.ts';
import { CSV_COLUMNS, csvHeader, declaredColumns, renderCsvRow } from '../../../shared/formats/render-csv.ts';
import type { Breaches } from '../../report/breaches.ts';
import type { Policy } from '../../report/policies.ts';

/** A row for each breach: the policy, its level, and the columns of `list`. Declared fields are those of the first record. */
export function* reportCsv(
  policies: readonly Policy[],
  breaches: Breaches,
  exact: boolean,
): Generator<string> {
  let columns: readonly string[] | undefined;
  for (const policy of policies) {
    const { name, level } = policy; // no character of a name is one that CSV or a spreadsheet takes for another
    for (const batch of breaches.of(policy)) {
      const start = columns === undefined;
      columns ??= columnsOf(batch[0]);
      const rows = batch.map(key =>
        csvRowToPrint(`${name},${level},${renderCsvRow(key, { exact, columns })}`),
      );
      yield (start ? headerOf(columns) : '') + rows.join('');
    }
  }
  if (columns === undefined) yield headerOf(columnsOf(undefined));
}

const columnsOf = (first: ApiKeyRecord | undefined) => [...CSV_COLUMNS, ...declaredColumns(first)];
const headerOf = (columns: readonly string[]) => csvHeader(['policy', 'level', ...columns]);
