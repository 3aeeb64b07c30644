import type { Client } from 'pg';
import type { Fault } from '../../../roster/errors.ts';
import { inSavepoint } from '../../transaction.ts';
import { type Catalogue, sampleRows } from '../catalogue/catalogue.ts';
import { expressionOf } from '../mapping/expressions.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { tableSql } from '../mapping/table-name.ts';
import { sqlState } from '../trial.ts';

/** Two API keys of an organization with the same ID: no cursor tells them apart. */
export async function uniquenessWarnings(
  client: Client,
  catalogue: Catalogue,
  mapping: Mapping,
): Promise<Fault[]> {
  const { count, of } = await repeatedIds(client, catalogue, mapping);
  const repeated = `${count} of ${of} sampled rows have an ID that another row of the organization has`;
  const problems = [
    ...(count > 0 ? [repeated] : []),
    ...((await mayRepeat(client, mapping))
      ? [
          'no unique index of the column, or of the organization and it, keeps IDs from being repeated: make one',
        ]
      : []),
  ];
  return problems.map(problem => ({ field: 'fields.id', problem: `${problem}; a page by such an ID fails` }));
}

async function repeatedIds(client: Client, catalogue: Catalogue, { fields }: Mapping) {
  const pair = ['organization_id', 'id'] as const;
  const texts = pair.map(name => expressionOf(name, fields[name]));
  try {
    const rows = await inSavepoint(client, () => sampleRows(client, catalogue, texts));
    const known = rows.filter(row => !row.includes(null)).map(row => JSON.stringify(row));
    return { count: known.length - new Set(known).size, of: rows.length };
  } catch (error) {
    if (sqlState(error) === null) throw error;
    return { count: 0, of: 0 }; // the warnings of the fields say why
  }
}

/** Of an ID by SQL only the sample tells. */
async function mayRepeat(
  client: Client,
  { table, fields: { id, organization_id } }: Mapping,
): Promise<boolean> {
  if (!('column' in id)) return false;
  const pair = [id, organization_id].flatMap(source => ('column' in source ? [source.column] : []));
  const { rows } = await client.query(UNIQUE_INDEX, [tableSql(table), pair]);
  return rows.length === 0;
}

/** One that has no other columns than these. */
const UNIQUE_INDEX = `
  SELECT FROM pg_index WHERE indrelid = $1::text::regclass AND indisunique AND indisvalid AND indpred IS NULL AND NOT EXISTS
    (SELECT FROM unnest((indkey::int2[])[0:indnkeyatts - 1]) AS number LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number
      WHERE attname IS NULL OR attname <> ALL ($2::text[]))`;
