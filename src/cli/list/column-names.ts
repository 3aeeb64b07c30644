import type { ApiKeyRecord } from '../../client/client.ts';
import { declaredColumns } from '../../formats/declared-columns.ts';
import { CSV_COLUMNS } from '../../formats/render-csv.ts';
import { printableName } from '../../roster/printable-name.ts';
import { UsageError } from '../options/usage-error.ts';

/** The names that `--columns` gives. */
export function columnNames(text: string): string[] {
  const names = text.split(',').map(name => name.trim());
  if (new Set(names).size < names.length) throw new UsageError('--columns: must name each column once');
  return names;
}

/** A name that differs more than this from every known one isn't taken for a mistyped one. */
const MAX_DIFFERENCE = 0.4;

/** Throws a `UsageError` when the records have no such field: a name with a typing error must not be an empty column. */
export async function requireColumns(
  names: readonly string[],
  record: ApiKeyRecord,
  others: readonly string[],
): Promise<void> {
  const known = [...new Set([...CSV_COLUMNS, ...declaredColumns(record), ...others])];
  const unknown = names.find(name => !known.includes(name));
  if (unknown === undefined) return;
  const { nearestName } = await import('../../nearest-name.ts');
  const { name, difference } = nearestName(unknown, known);
  const advice =
    difference <= MAX_DIFFERENCE ? `did you mean ${name}?` : `there are only ${known.join(', ')}`;
  throw new UsageError(`--columns: no "${printableName(unknown)}": ${advice}`);
}
