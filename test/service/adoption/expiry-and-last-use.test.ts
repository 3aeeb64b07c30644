/** What public projects know of when a key expires and was last used, as it is proposed for their tables and listed from them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { type ForeignSchema, foreignSchemas } from '../../support/adopted/foreign-schemas.ts';
import { proposalFor } from '../../support/adopted/proposals.ts';
import {
  adopt,
  examine,
  type VendorDatabase,
  vendorDatabase,
} from '../../support/adopted/vendor-database.ts';
import type { MappingFile } from '../../support/adopted/vendor-table.ts';
import { readerOf, recordsOf } from '../../support/opened.ts';
import type { Scope } from '../../support/scope.ts';
import { storeAt } from '../../support/store-at.ts';

type Times = Readonly<Record<string, unknown>>;

describe('the proposal for the table of', () => {
  for (const schema of foreignSchemas)
    test(`${schema.project} lists expiry and last use as SQL reads them`, async t => {
      const database = await databaseIn(t, 'America/New_York');
      await database.client.query(schema.sql);
      const id = await adoptProposed(database, schema);
      const expected = await timesBySql(database, schema, id);
      assert.deepEqual(await listedTimes(t, database), expected);
      assert(Object.values(expected).length === 40);
      assert.deepEqual((await storeAt(database.url).check()).findings, []);
    });
});

/** Whose sessions have another time zone than UTC. */
async function databaseIn(t: Scope, zone: string): Promise<VendorDatabase> {
  const database = await vendorDatabase(t);
  const name = new URL(database.url).pathname.slice(1);
  await database.client.query(`ALTER DATABASE ${name} SET TimeZone = '${zone}'; SET TimeZone = '${zone}'`);
  return database;
}

/** Returns the column of the ID. */
async function adoptProposed(
  { url }: VendorDatabase,
  { table, decided }: Pick<ForeignSchema, 'table' | 'decided'>,
): Promise<string> {
  const { file } = await proposalFor(url, table);
  const todo = Object.entries(file.fields).filter(([, source]) => source.todo !== undefined);
  assert.deepEqual(todo.map(([name]) => name).toSorted(), Object.keys(decided).toSorted());
  const mapping = { ...file, fields: { ...file.fields, ...decided } } as MappingFile;
  assert.deepEqual(await examine(url, mapping), { faults: [], warnings: [] });
  await adopt(url, mapping);
  const { id } = mapping.fields;
  assert(id && 'column' in id);
  return id.column;
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`;

/** By the ID of the key; a table without a last use has no such field. */
async function timesBySql(
  { client }: VendorDatabase,
  { table, expires, lastUsed }: Pick<ForeignSchema, 'table' | 'expires' | 'lastUsed'>,
  idColumn: string,
): Promise<Times> {
  const text = (sql: string) => `to_char((${sql}) AT TIME ZONE 'UTC', ${ISO})`;
  const times = Object.entries({ expires_at: expires, last_used_at: lastUsed }).filter(
    ([, sql]) => sql !== null,
  );
  const columns = times.map(([name, sql]) => `'${name}', ${text(String(sql))}`);
  const { rows } = await client.query(
    `SELECT ${idColumn}::text AS id, json_build_object(${columns}) AS times FROM ${table}`,
  );
  return Object.fromEntries(rows.map(({ id, times }) => [id, times]));
}

/** As a service reads them. */
async function listedTimes(t: Scope, { url, client }: VendorDatabase): Promise<Times> {
  const { rows } = await client.query('SELECT DISTINCT organization_id AS id FROM keyroster.api_keys');
  const listed = await recordsOf(await readerOf(t, storeAt(url)), rows[0].id as OrganizationId);
  const records = listed.map(record => JSON.parse(record));
  return Object.fromEntries(
    records.map(({ id, expires_at, last_used_at }) => [
      id,
      { expires_at, ...(last_used_at !== undefined && { last_used_at }) },
    ]),
  );
}
