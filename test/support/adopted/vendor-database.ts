/** A database of a vendor's with a table of API keys, for the tests of an adoption. Tables that people have are beside this file. */

import assert from 'node:assert/strict';
import type { Client } from 'pg';
import { adoptionIn } from '../../../src/operator/adopt/open-adoption.ts';
import { type Mapping, parseMapping } from '../../../src/service/postgres/vendor-table/mapping.ts';
import { connect } from '../connect.ts';
import { atEndOf, type Scope } from '../scope.ts';
import { storeAt, TEST_ACTOR } from '../store-at.ts';
import { createDatabase, type TestStore } from '../stores.ts';
import type { MappingFile, VendorTable } from './vendor-table.ts';

export type VendorDatabase = Awaited<ReturnType<typeof vendorDatabase>>;

/** Compares texts as a language does, as most databases do and that of the other tests doesn't. */
export const LINGUISTIC = `TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'`;

export async function vendorDatabase(scope: Scope) {
  const { url, remove } = await createDatabase(LINGUISTIC);
  atEndOf(scope, remove);
  return { url, client: await connect(scope, url) };
}

/** All that an adoption must leave as it was: columns, rules, rights, rows. The indexes are left out. */
export async function stateOfTable(client: Client, table: string): Promise<unknown> {
  const { rows } = await client.query(
    `SELECT
      (SELECT json_agg(to_json(a) ORDER BY attnum) FROM (SELECT attnum, attname, atttypid, atttypmod, attnotnull, attacl
        FROM pg_attribute WHERE attrelid = $1::regclass) AS a) AS columns,
      (SELECT json_agg(pg_get_constraintdef(oid) ORDER BY oid) FROM pg_constraint WHERE conrelid = $1::regclass) AS rules,
      (SELECT json_agg(pg_get_triggerdef(oid) ORDER BY oid) FROM pg_trigger WHERE tgrelid = $1::regclass) AS triggers,
      (SELECT to_json(c) FROM (SELECT relname, relnamespace, relowner, relacl::text, reloptions, relrowsecurity, relfilenode
        FROM pg_class WHERE oid = $1::regclass) AS c) AS class,
      (SELECT count(*) || '/' || sum(hashtextextended(t::text, 0)) FROM ${table} AS t) AS rows`,
    [table],
  );
  return rows[0];
}

export async function indexesOf(
  client: Client,
  table: string,
): Promise<{ name: string; isValid: boolean }[]> {
  const { rows } = await client.query(
    `SELECT relname AS name, indisvalid AS valid FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
     WHERE indrelid = $1::regclass ORDER BY relname`,
    [table],
  );
  return rows.map(({ name, valid }) => ({ name, isValid: valid }));
}

/** A new database with this table, adopted, and without API keys. */
export async function createAdopted(
  table: VendorTable,
  mapping: MappingFile = table.mapping,
): Promise<Pick<TestStore, 'url' | 'remove'>> {
  const database = await createDatabase(LINGUISTIC);
  await table.create(database.url);
  await adopt(database.url, mapping);
  return database;
}

export async function adopt(url: string, file: MappingFile): Promise<void> {
  await (await adoptionIn(storeAt(url))).apply(parsed(file), { actor: TEST_ACTOR, onStep: () => {} });
}

/** What is wrong with this file's mapping for its table. */
export async function examine(url: string, file: unknown) {
  const findings = await (await adoptionIn(storeAt(url))).examine(parsed(file));
  const faults = findings.filter(({ kind }) => kind === 'fault');
  return { faults, warnings: findings.filter(each => !faults.includes(each)) };
}

export function parsed(file: unknown): Mapping {
  const result = parseMapping(file);
  assert('mapping' in result, JSON.stringify(result));
  return result.mapping;
}
