import type { Client } from 'pg';
import type { Fault } from '../../../roster/errors.ts';
import { filterColumns } from '../../page-sql.ts';
import { expressionOf } from '../mapping/expressions.ts';
import type { FieldName, Mapping } from '../mapping/mapping.ts';
import { emptyCopy, inTrial, refusal } from '../trial.ts';

/**
 * The fields that can't be in an index, since their value may change while the row stays. Only PostgreSQL can tell: so they are
 * put into indexes of an empty temporary table, which is never committed. Where the role may not make one, nothing is found.
 */
export async function mutableFields(client: Client, mapping: Mapping): Promise<Fault[]> {
  return inTrial(client, async () => {
    const copy = await emptyCopy(client, mapping.table);
    if (copy === null) return [];
    const faults: Fault[] = [];
    for (const field of indexedFields(mapping)) {
      const sql = `CREATE INDEX ON ${copy} (${expressionOf(field, mapping.fields[field])})`;
      const problem = RULES[(await refusal(client, sql)) ?? ''];
      if (problem) faults.push({ field: `fields.${field}`, problem });
    }
    return faults;
  });
}

/** By the SQLSTATE of the refused index. */
const RULES: Readonly<Record<string, string>> = {
  '42P17':
    'is in an index, so it must be IMMUTABLE: the text of an enum is not (give "values", or CASE with each label), nor is what ' +
    'depends on the current time or on settings',
  '0A000':
    'is in an index, which PostgreSQL does not allow of a virtual generated column: give its expression as "sql", or make it STORED',
};

function indexedFields({ filters }: Mapping): FieldName[] {
  return ['organization_id', 'id', 'created_at', ...filters.map(name => filterColumns[name])];
}
