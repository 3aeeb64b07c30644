import type { ApiKeyRecord } from '../../client/client.ts';
import { CSV_COLUMNS, declaredColumns } from '../../formats/render-csv.ts';
import { printableName } from '../../roster/fields.ts';
import { UsageError } from '../options/usage-error.ts';

/** The names that `--columns` gives. */
export function columnNames(text: string): string[] {
  const names = text.split(',').map(name => name.trim());
  if (new Set(names).size < names.length) throw new UsageError('--columns: must name each column once');
  return names;
}

/** Throws a `UsageError` when the records have no such field: a name with a typing error must not be an empty column. */
export async function requireColumns(
  names: readonly string[],
  record: ApiKeyRecord,
  others: readonly string[],
): Promise<void> {
  const known = [...new Set([...CSV_COLUMNS, ...declaredColumns(record), ...others])];
  const unknown = names.find(name => !known.includes(name));
  if (unknown === undefined) return;
  const { nameMeant } = await import('../../nearest-name.ts');
  const meant = nameMeant(unknown, known);
  const advice = meant === undefined ? `there are only ${known.join(', ')}` : `did you mean ${meant}?`;
  throw new UsageError(`--columns: no "${printableName(unknown)}": ${advice}`);
}
