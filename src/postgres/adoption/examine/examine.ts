import type { Client, DatabaseError } from 'pg';
import type { Fault } from '../../../roster/errors.ts';
import { inSavepoint } from '../../transaction.ts';
import {
  type Catalogue,
  type Column,
  inReadOnlyTransaction,
  readCatalogue,
  sampleRows,
} from '../catalogue/catalogue.ts';
import { expressionOf, sourceSql } from '../mapping/expressions.ts';
import {
  FIELD_NAMES,
  type FieldName,
  type FieldSource,
  hasUnlistedRows,
  type Mapping,
} from '../mapping/mapping.ts';
import { tableSql } from '../mapping/table-name.ts';
import { sqlState } from '../trial.ts';
import { mutableFields } from './immutable.ts';
import { keyFault } from './key-sources.ts';
import { type Finding, findingsIn, sampledAs } from './sampled-values.ts';
import { uniquenessWarnings } from './unique-ids.ts';
import { whatSqlReads } from './what-sql-reads.ts';

/** What is wrong with a mapping for this table. */
export interface Examination {
  /** With one of these it can't be used. */
  readonly faults: readonly Fault[];
  /** Rows of a sample that a page could not list. */
  readonly warnings: readonly Fault[];
}

/** Compares the mapping with the table, and changes nothing. Throws `Refused` where there is no such table. */
export async function examineMapping(client: Client, mapping: Mapping): Promise<Examination> {
  const reads = await whatSqlReads(client, mapping);
  const { faults, warnings } = await inReadOnlyTransaction(client, () =>
    examineFields(client, mapping, reads),
  );
  return { faults: faults.length > 0 ? faults : await mutableFields(client, mapping), warnings };
}

async function examineFields(
  client: Client,
  mapping: Mapping,
  reads: Awaited<ReturnType<typeof whatSqlReads>>,
): Promise<Examination> {
  const catalogue = await readCatalogue(client, tableSql(mapping.table));
  const faults: Fault[] = await tableFaults(client, catalogue);
  const findings: Finding[] = [];
  for (const field of FIELD_NAMES) {
    const source = mapping.fields[field];
    const problem =
      columnProblem(source, catalogue) ??
      keyFault(field, mapping, catalogue, reads.get(field)) ??
      (await sqlProblem(client, catalogue, field, source));
    if (problem === null) findings.push(...(await findingsOf(client, catalogue, field, mapping)));
    else faults.push({ field: `fields.${field}`, problem });
  }
  const told = (isFault: boolean) => findings.filter(finding => finding.isFault === isFault);
  const notUnique = faults.length > 0 ? [] : await uniquenessWarnings(client, catalogue, mapping);
  return { faults: [...faults, ...told(true)], warnings: [...told(false), ...notUnique] };
}

/** The view would have its owner's rows only, and so would each page. */
async function tableFaults(client: Client, { table }: Catalogue): Promise<Fault[]> {
  const text = 'SELECT row_security_active($1::text::regclass)::text AS active';
  const { rows } = await client.query(text, [tableSql(table)]);
  if (rows[0]?.active !== 'true') return [];
  const problem =
    'row-level security hides rows from this role: use one with BYPASSRLS, or the owner of a table without FORCE ROW LEVEL SECURITY';
  return [{ field: 'table', problem }];
}

function columnProblem(source: FieldSource, { columns }: Catalogue): string | null {
  if (!('column' in source)) return null;
  const column = columns.find(({ name }) => name === source.column);
  if (!column)
    return `the table has no column of this name: it has ${columns.map(({ name }) => name).join(', ')}`;
  return kindProblem(source, column);
}

const NUMBERS = ['integer', 'number'];

function kindProblem({ unit }: { readonly unit?: unknown }, { kind, type }: Column): string | null {
  return unit === undefined || NUMBERS.includes(kind)
    ? null
    : `the column is of the type ${type}, and "unit" is for a number`;
}

/** The OID of `timestamptz`, which is the same everywhere. */
const TIMESTAMPTZ = 1184;

/** In WHERE, PostgreSQL refuses what isn't one value for each row: an aggregate, or a set. */
async function sqlProblem(
  client: Client,
  { table }: Catalogue,
  field: FieldName,
  source: FieldSource,
): Promise<string | null> {
  const isCreation = field === 'created_at';
  const expression = isCreation ? `(${sourceSql(source)})` : expressionOf(field, source);
  const text = `SELECT ${expression} FROM ${tableSql(table)} WHERE ${expression} IS NOT NULL LIMIT 0`;
  try {
    const { fields } = await inSavepoint(client, () => client.query(text));
    const isTime = fields[0]?.dataTypeID === TIMESTAMPTZ;
    if (!isCreation || isTime) return null;
    return 'must be a timestamptz: for a timestamp without a zone give "sql" with AT TIME ZONE \'UTC\', for a number "unit"';
  } catch (error) {
    if (!isOfExpression(error)) throw error;
    return isOfText(error)
      ? `PostgreSQL refuses it: ${error.message}`
      : `PostgreSQL refuses it (${error.code})`;
  }
}

/** An expression may be valid and fail on some row. PostgreSQL's message would have the value then. */
async function findingsOf(
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
    if (!isOfExpression(error)) throw error;
    const unreadable = error.code === '42501';
    const problem = unreadable
      ? 'no value was looked at: this role may not read its columns'
      : `the expression fails on a row (${error.code}): pages with that row would fail`;
    return [{ field: `fields.${field}`, problem, isFault: false }];
  }
}

/** PostgreSQL's refusal of the expression or of a value, and not a connection that broke or a statement that took too long. */
function isOfExpression(error: unknown): error is DatabaseError & { code: string } {
  const code = sqlState(error);
  if (code === null) return false;
  // A function of the vendor's may raise any.
  return (error as DatabaseError).where !== undefined || !/^(?:08|40|5[3-8]|XX)/.test(code);
}

/** Whether PostgreSQL points at a place in the text: it has read no row then, nor called a function that could put one's value in. */
function isOfText({ position, where }: DatabaseError): boolean {
  return position !== undefined && where === undefined;
}
