import type { Client } from 'pg';
import type { Fault } from '../../../roster/errors.ts';
import { inSavepoint } from '../../transaction.ts';
import { type Catalogue, readCatalogue, sampleRows } from '../catalogue/catalogue.ts';
import { expressionOf } from '../mapping/expressions.ts';
import { FIELD_NAMES, type FieldName, hasUnlistedRows, type Mapping } from '../mapping/mapping.ts';
import { tableSql } from '../mapping/table-name.ts';
import { inTrial, isRefusal } from '../trial.ts';
import { keyFault, openEndFault } from './key-sources.ts';
import { type Reads, readsOf } from './reads.ts';
import { type Finding, findingsIn, sampledAs } from './sampled-values.ts';

/** What is wrong with a mapping for this table. */
export interface Examination {
  /** With one of these it can't be used. */
  readonly faults: readonly Fault[];
  /** Rows of a sample that a page could not list. */
  readonly warnings: readonly Fault[];
}

/** Compares the mapping with the table, and changes nothing. Throws `Refused` where there is no such table, or the role may not look. */
export async function examineMapping(client: Client, mapping: Mapping): Promise<Examination> {
  const reads = await readsOf(client, mapping);
  return inTrial(client, 'READ ONLY', async () => {
    const catalogue = await readCatalogue(client, tableSql(mapping.table));
    const findings: Finding[] = await rightsFindings(client, mapping);
    for (const field of FIELD_NAMES) {
      const problem = sourceProblem(field, mapping, catalogue, reads[field]);
      if (problem === null) findings.push(...(await valueFindings(client, catalogue, field, mapping)));
      else findings.push({ field: `fields.${field}`, problem, isFault: true });
    }
    findings.push(...(await uniquenessFindings(client, mapping)));
    return {
      faults: findings.filter(({ isFault }) => isFault),
      warnings: findings.filter(({ isFault }) => !isFault),
    };
  });
}

/** The view would have its owner's rows only, and so would each page. */
async function rightsFindings(client: Client, { table }: Mapping): Promise<Finding[]> {
  const text = 'SELECT row_security_active($1::text::regclass)::text AS active';
  const { rows } = await client.query(text, [tableSql(table)]);
  if (rows[0]?.active !== 'true') return [];
  const problem =
    'row-level security hides rows from this role: use one with BYPASSRLS, or the owner of a table without FORCE ROW LEVEL SECURITY';
  return [{ field: 'table', problem, isFault: true }];
}

function sourceProblem(
  field: FieldName,
  mapping: Mapping,
  catalogue: Catalogue,
  reads: Reads | string,
): string | null {
  const source = mapping.fields[field];
  const names = catalogue.columns.map(({ name }) => name);
  if ('column' in source && !names.includes(source.column))
    return `the table has no column of this name: it has ${names.join(', ')}`;
  const openEnd = 'sql' in source ? openEndFault(source.sql) : null;
  if (openEnd !== null) return openEnd;
  if (typeof reads === 'string') return reads;
  const fault = keyFault(field, mapping, catalogue, reads);
  if (fault !== null || field !== 'created_at' || reads.isTime) return fault;
  return 'must be a timestamptz: for a timestamp without a zone give "sql" with AT TIME ZONE \'UTC\', for a number "unit"';
}

/** An expression may be valid and fail on some row. PostgreSQL's message would have the value then. */
async function valueFindings(
  client: Client,
  catalogue: Catalogue,
  field: FieldName,
  mapping: Mapping,
): Promise<Finding[]> {
  const text = sampledAs(field, expressionOf(field, mapping.fields[field]));
  const mayBeNull = field === 'organization_id' && hasUnlistedRows(mapping);
  try {
    const rows = await inSavepoint(client, () => sampleRows(client, catalogue, [text]));
    const values = rows.map(([value]) => value ?? null);
    return findingsIn(field, mayBeNull ? values.filter(value => value !== null) : values);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const problem =
      error.code === '42501'
        ? 'no value was looked at: this role may not read its columns'
        : `the expression fails on a row (${error.code}): pages with that row would fail`;
    return [{ field: `fields.${field}`, problem, isFault: false }];
  }
}

/** Two API keys of an organization with the same ID: no cursor tells them apart. Of an ID by SQL only `check` tells. */
async function uniquenessFindings(client: Client, { table, fields }: Mapping): Promise<Finding[]> {
  const { id, organization_id } = fields;
  if (!('column' in id)) return [];
  const pair = [id, organization_id].flatMap(source => ('column' in source ? [source.column] : []));
  const { rows } = await client.query(UNIQUE_INDEX, [tableSql(table), pair]);
  if (rows.length > 0) return [];
  const problem =
    'no unique index of the column, or of the organization and it, keeps IDs from being repeated: make one; a page by such an ID fails';
  return [{ field: 'fields.id', problem, isFault: false }];
}

/** One that has no other columns than these. */
const UNIQUE_INDEX = `
  SELECT FROM pg_index WHERE indrelid = $1::text::regclass AND indisunique AND indisvalid AND indpred IS NULL AND NOT EXISTS
    (SELECT FROM unnest((indkey::int2[])[0:indnkeyatts - 1]) AS number LEFT JOIN pg_attribute ON attrelid = indrelid AND attnum = number
      WHERE attname IS NULL OR attname <> ALL ($2::text[]))`;
