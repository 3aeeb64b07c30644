import type { Client } from 'pg';
import { inSavepoint } from '../../../service/postgres/transaction.ts';
import {
  FIELD_NAMES,
  ID_FIELDS,
  joinsOf,
  type Mapping,
} from '../../../service/postgres/vendor-table/mapping.ts';
import { identifier, tableSql } from '../../../service/postgres/vendor-table/table-name.ts';
import type { Fault } from '../../../shared/record/faults.ts';
import { labelOf } from '../../../shared/record/looks-like-key.ts';
import { type Catalogue, type Column, readCatalogue, sampleRows } from '../catalogue/catalogue.ts';
import { hasOwnUuids, keyColumnReason, MIN_SHARE_OF_KEYS, NO_KEY_COLUMN } from '../catalogue/key-columns.ts';
import { inTrial, isRefusal } from '../rolled-back.ts';
import { type ExaminedField, examinedFields } from './examined-field.ts';
import { HAS_UUIDS, keyFault, type Reads, readsOf } from './reads.ts';

/** Of a mapping for a table, of which a sample of rows is read. `look`: a person should. `page`: a page with some row of the sample would fail. `fault`: the mapping must not be used. */
export interface Finding extends Fault {
  readonly kind: 'look' | 'page' | 'fault';
}

const finding = (kind: Finding['kind']) => (field: string, problem: string) => ({ kind, field, problem });
const [look, page, fault] = [finding('look'), finding('page'), finding('fault')];

/** Compares the mapping with the table, and changes nothing. Throws `Refused` where there is no such table, or the role may not look. */
export async function examineMapping(client: Client, mapping: Mapping): Promise<Finding[]> {
  const fields = examinedFields(mapping);
  const reads = await readsOf(client, mapping.table, fields);
  const ofId = reads[FIELD_NAMES.indexOf('id')];
  const idColumns = typeof ofId === 'object' ? ofId.columns : [];
  return inTrial(client, 'READ ONLY', async () => {
    const catalogue = await readCatalogue(client, tableSql(mapping.table));
    const findings: Finding[] = await rightsFindings(client, mapping);
    if (catalogue.columns.every(column => keyColumnReason(column) === null))
      findings.push(look('table', NO_KEY_COLUMN));
    for (const [index, field] of fields.entries()) {
      const problem = sourceProblem(field, mapping, catalogue, idColumns, reads[index]);
      const read = reads[index];
      const used = catalogue.columns.filter(
        ({ name }) => typeof read === 'object' && read.columns.includes(name),
      );
      if (problem !== null) findings.push(fault(`fields.${field.name}`, problem));
      else findings.push(...(await valueFindings(client, catalogue, field, used)));
      findings.push(...merged(field, used));
      if (problem === null && field.name === 'organization_id')
        findings.push(...(await joinFindings(client, mapping)));
    }
    return findings;
  });
}

/** The vendor's queries find rows of both texts, and a list those of one. */
function merged({ name, value }: ExaminedField, used: readonly Column[]): Finding[] {
  const isOne = /\b(?:lower|upper|trim_scale)\(|::bigint\b/i.test(value);
  if (isOne || !ID_FIELDS.some(id => id === name)) return [];
  // A number may have another text with another setting.
  const merging = used.filter(each => each.mergesTexts && !(each.isUnique && each.kind === 'text'));
  return merging.map(column => look(`fields.${name}`, MERGES(column)));
}

const MERGES = ({ name }: Column) =>
  `${name} takes texts such as acme and Acme, or 1 and 1.0, for the same, and a list doesn't: give SQL such as lower(${identifier(name)}::text) or ${identifier(name)}::bigint`;

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
    const add = (problem: string, make = fault) =>
      findings.push(make('fields.organization_id.joins', `${table}: ${problem}`));
    if (columns.some(({ name, isUnique }) => name === key && !isUnique))
      add(`${key} has no unique index of its own, so that a key could be of two organizations`);
    const source = columns.find(({ name }) => name === column);
    if (source?.mergesTexts) add(MERGES(source), look);
    const reason = source && keyColumnReason(source);
    if (reason) add(`${column} has full keys or hashes of keys, by ${reason}`);
  }
  return findings;
}

function sourceProblem(
  field: ExaminedField,
  mapping: Mapping,
  catalogue: Catalogue,
  idColumns: readonly string[],
  reads: Reads | string = '',
): string | null {
  const { source, types } = field;
  if (typeof reads === 'string') return reads;
  const fault = 'joins' in source ? null : keyFault(field, mapping, catalogue, reads, idColumns);
  return fault === null && types?.[0].test(reads.type) === false ? types[1] : fault;
}

/** An expression may be valid and fail on some row. PostgreSQL's message would have the value then. */
async function valueFindings(client: Client, catalogue: Catalogue, field: ExaminedField, used: Column[]) {
  try {
    const rows = await inSavepoint(client, () => sampleRows(client, catalogue, [field.sampled]));
    const values = rows.map(([value]) => value ?? null);
    return findingsIn(field, field.mayBeNull ? values.filter(value => value !== null) : values, used);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const place = `fields.${field.name}`;
    return error.code === '42501'
      ? [look(place, 'no value was looked at: this role may not read its columns')]
      : [page(place, `the expression fails on a row (${error.code}): pages with that row would fail`)];
  }
}

/** What is wrong with these values of a field. No value is in a message. */
function findingsIn(
  { name, source, isValid, rule, showsKey }: ExaminedField,
  values: readonly (string | null)[],
  used: readonly Column[],
): Finding[] {
  const share = (count: number) => `${count} of ${values.length} sampled rows`;
  const wrong = values.filter(value => !isValid(value)).length;
  const keys = values.filter(value => value !== null && showsKey(value)).length;
  const place = `fields.${name}`;
  const isAsked = name !== 'id' && !('no_key' in source || 'joins' in source);
  const starts = [...new Set(values.map(value => value?.split('...')[0] ?? ''))];
  const long = starts.filter(start => start.length - labelOf(start).length >= 12).length;
  const tell = keys >= values.length * MIN_SHARE_OF_KEYS ? fault : look;
  return [
    ...(wrong > 0 ? [page(place, `${share(wrong)} break its rule: ${rule}`)] : []),
    ...(keys > 0
      ? [tell(place, `${share(keys)} would show what looks like a full key or a hash of one`)]
      : []),
    ...(isAsked && keys === 0 && hasOwnUuids(values, used) ? [fault(place, `it ${HAS_UUIDS}`)] : []),
    ...(name === 'partial_key_hint' && long > values.length / 2 ? [look(place, LONG_START)] : []),
  ];
}

const LONG_START = 'its start has 12 or more characters of most keys: make sure that these are not all';
