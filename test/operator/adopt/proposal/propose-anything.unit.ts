import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Column, ColumnKind } from '../../../../src/operator/adopt/catalogue/catalogue.ts';
import { hasKeysByName } from '../../../../src/operator/adopt/catalogue/key-columns.ts';
import { mappingFile } from '../../../../src/operator/adopt/proposal/mapping-file.ts';
import { propose } from '../../../../src/operator/adopt/proposal/propose.ts';
import { parseMapping } from '../../../../src/service/postgres/vendor-table/mapping.ts';

const NAMES =
  'id key_id uuid orgId organization team_id user_id referenceId owner name label created_at createdAt created inserted_at created_by ' +
  'creator service_account_id is_bot ownerKind prefix start last4 hint masked_key preview enabled is_active status state revoked_at ' +
  'is_revoked deleted_at expires_at workspace_id project env tokenable_type tokenable_id deleted_at_m key api_key token secret_hash keyHash hashedKey digest password value metadata';
const KINDS: ColumnKind[] = 'text uuid number boolean enum timestamptz timestamp date bytes other'.split(
  ' ',
) as ColumnKind[];

/** No message and no file may have it. It is no word, as a status may be, which is told. */
const VALUE = 'Value of the table!';
const values = fc.oneof(
  fc.constant(null),
  fc.nat().map(String),
  fc.string({ maxLength: 40 }).map(text => VALUE + text),
);

const column: fc.Arbitrary<Column> = fc.record({
  name: fc.oneof(fc.constantFrom(...NAMES.split(' ')), fc.string({ minLength: 1, maxLength: 20 })),
  type: fc.constant('a type'),
  kind: fc.constantFrom(...KINDS),
  isNullable: fc.boolean(),
  isUnique: fc.boolean(),
  isInPrimaryKey: fc.boolean(),
  mergesTexts: fc.boolean(),
  labels: fc.uniqueArray(fc.constantFrom('active', 'REVOKED', 'grumpy', "it's", 'a\\b'), { minLength: 1 }),
  sample: fc.option(fc.array(values, { maxLength: 20 })),
});
const catalogue = fc.record({
  table: fc.constant({ schema: 'public', table: 'apikey' }),
  rows: fc.constant(null),
  columns: fc.uniqueArray(column, { selector: ({ name }) => name, maxLength: 15 }),
});

test('the proposal for any table is a valid mapping but for what it says is to do, and has no key and no value of the table', () =>
  fc.assert(
    fc.property(catalogue, table => {
      const { choices, keyColumns } = propose(table);
      const parsed = parseMapping(mappingFile(table, choices));
      const faults = 'faults' in parsed ? parsed.faults : [];
      for (const { problem } of faults) assert.match(problem, /^is still to be decided: /);
      const open = Object.values(choices).filter(({ source }) => source.todo !== undefined);
      assert.equal(faults.length, open.length);
      const keys = table.columns.filter(hasKeysByName).map(({ name }) => name);
      for (const { sure, source } of Object.values(choices)) {
        assert(!(sure && source.todo !== undefined));
        if ('column' in source) assert(!keys.includes(source.column));
        if ('sql' in source) assert(!keys.some(key => source.sql.includes(`"${key}"`)), source.sql);
      }
      assert(!JSON.stringify([choices, keyColumns]).includes(VALUE));
    }),
    { numRuns: 500 },
  ));
