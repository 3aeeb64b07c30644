import type { Client } from 'pg';
import type { Fault } from '../../../shared/record/faults.ts';
import { inSavepoint } from '../../postgres/transaction.ts';
import { joinsOf, type Mapping } from '../../postgres/vendor-table/mapping.ts';
import { tableSql } from '../../postgres/vendor-table/table-name.ts';
import { type Catalogue, readCatalogue, sampleRows } from '../catalogue/catalogue.ts';
import { keyColumnReason, MIN_SHARE_OF_KEYS } from '../catalogue/key-columns.ts';
import { inTrial, isRefusal } from '../trial.ts';
import { type ExaminedField, examinedFields } from './examined-field.ts';
import { keyFault, type Reads, readsOf } from './reads.ts';

/** What is wrong with a mapping for this table. */
export interface Examination {
  /** With one of these it can't be used. */
  readonly faults: readonly Fault[];
  /** Rows of a sample that a page could not list. */
  readonly warnings: readonly Fault[];
}

interface Finding extends Fault {
  /** Whether the mapping must not be used because of it. */
  readonly isFault: boolean;
}

const fault = (field: string, problem: string): Finding => ({ field, problem, isFault: true });
const warning = (field: string, problem: string): Finding => ({ field, problem, isFault: false });

/** Compares the mapping with the table, and changes nothing. Throws `Refused` where there is no such table, or the role may not look. */
export async function examineMapping(client: Client, mapping: Mapping): Promise<Examination> {
  const fields = examinedFields(mapping);
  const reads = await readsOf(client, mapping.table, fields);
  return inTrial(client, 'READ ONLY', async () => {
    const catalogue = await readCatalogue(client, tableSql(mapping.table));
    const findings: Finding[] = await rightsFindings(client, mapping);
    for (const [index, field] of fields.entries()) {
      const problem = sourceProblem(field, mapping, catalogue, reads[index]);
      if (problem === null) findings.push(...(await valueFindings(client, catalogue, field)));
      else findings.push(fault(`fields.${field.name}`, problem));
      if (problem === null && field.name === 'organization_id')
        findings.push(...(await joinFindings(client, mapping)));
    }
    return {
      faults: findings.filter(({ isFault }) => isFault),
      warnings: findings.filter(({ isFault }) => !isFault),
    };
  });
}

/** The view would have its owner's rows only, and so would each page. */
async function rightsFindings(client: Client, mapping: Mapping): Promise<Finding[]> {
  const text =
    "SELECT string_agg(name, ', ') AS hidden FROM json_array_elements_text($1) AS name WHERE row_security_active(name::regclass)";
  const tables = [tableSql(mapping.table), ...joinsOf(mapping).map(({ table }) => table)];
  const [found] = (await client.query(text, [JSON.stringify(tables)])).rows;
  if (!found?.hidden) return [];
  const problem = `row-level security hides rows from this role in ${found.hidden}: use one with BYPASSRLS, or the owner of a table without FORCE ROW LEVEL SECURITY`;
  return [fault('table', problem)];
}

/** What PostgreSQL would take. */
async function joinFindings(client: Client, mapping: Mapping): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { table, key, column } of joinsOf(mapping)) {
    const { columns } = await readCatalogue(client, table);
    const add = (problem: string) =>
      findings.push(fault('fields.organization_id.joins', `${table}: ${problem}`));
    if (columns.some(({ name, isUnique }) => name === key && !isUnique))
      add(`${key} has no unique index of its own, so that a key could be of two organizations`);
    const source = columns.find(({ name }) => name === column);
    const reason = source && keyColumnReason(source);
    if (reason) add(`${column} has full keys or hashes of keys, by ${reason}`);
  }
  return findings;
}

function sourceProblem(
  field: ExaminedField,
  mapping: Mapping,
  catalogue: Catalogue,
  reads: Reads | string = '',
): string | null {
  const { source, types } = field;
  if (typeof reads === 'string') return reads;
  const fault = 'joins' in source ? null : keyFault(field, mapping, catalogue, reads);
  return fault === null && types?.[0].test(reads.type) === false ? types[1] : fault;
}

/** An expression may be valid and fail on some row. PostgreSQL's message would have the value then. */
async function valueFindings(client: Client, catalogue: Catalogue, field: ExaminedField): Promise<Finding[]> {
  try {
    const rows = await inSavepoint(client, () => sampleRows(client, catalogue, [field.sampled]));
    const values = rows.map(([value]) => value ?? null);
    return findingsIn(field, field.mayBeNull ? values.filter(value => value !== null) : values);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const problem =
      error.code === '42501'
        ? 'no value was looked at: this role may not read its columns'
        : `the expression fails on a row (${error.code}): pages with that row would fail`;
    return [warning(`fields.${field.name}`, problem)];
  }
}

/** What is wrong with these values of a field. No value is in a message. */
function findingsIn(
  { name, isValid, rule, showsKey }: ExaminedField,
  values: readonly (string | null)[],
): Finding[] {
  const share = (count: number) => `${count} of ${values.length} sampled rows`;
  const wrong = values.filter(value => !isValid(value)).length;
  const keys = values.filter(value => value !== null && showsKey(value)).length;
  const place = `fields.${name}`;
  const tell = keys >= values.length * MIN_SHARE_OF_KEYS ? fault : warning;
  return [
    ...(wrong > 0 ? [warning(place, `${share(wrong)} break its rule: ${rule}`)] : []),
    ...(keys > 0
      ? [tell(place, `${share(keys)} would show what looks like a full key or a hash of one`)]
      : []),
  ];
}
