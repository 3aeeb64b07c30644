/** In PostgreSQL a declared field is a column, beside which our own statements have columns, tables and aliases. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkStore } from '../../../src/operator/check-store.ts';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import type { DeclaredField } from '../../../src/service/roster/declared-fields.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import { fieldNameProblem, MAX_FIELDS } from '../../../src/service/roster/writes/new-field.ts';
import type { ImportId } from '../../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { createOrganization, importLines } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { atEndOf } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

/** Names that our own statements have. */
const OWN_NAMES = `line record ordinal differs staged known stored key_id number before by import_before created put user
  order select count value name1 excluded ordered imports text1 ident written inserted data removed row`;
/** With words that SQL has. */
const WORDS =
  `${OWN_NAMES} all and array as case check column create cross current_user default delete distinct do each
  else end from grant group having in index inner insert into is join left like limit natural not null on or over
  partition primary references returning row_number rows select set sum table then to trigger union unique update
  using value values when where window with`
    .split(/\s+/)
    .filter((word, index, all) => all.indexOf(word) === index && fieldNameProblem(word) === null);

/** A soak has all of them. */
const groups = Array.from({ length: Math.ceil(WORDS.length / MAX_FIELDS) }, (_, group) =>
  WORDS.slice(group * MAX_FIELDS, (group + 1) * MAX_FIELDS),
).slice(0, rounds(1));

async function declare(writer: RosterWriter, names: readonly string[], max_length: number) {
  for (const name of names) await writer.addField({ name, type: { kind: 'text', max_length } });
  return writer.listFields();
}

const withValues = (
  key: ApiKey,
  fields: readonly DeclaredField[],
  value: (field: DeclaredField) => string,
) => ({
  ...key,
  declared: fields.map(field => ({ field, value: value(field) })),
});

/** Of the same IDs and creation, each with the text in all fields. */
function keysWith(fields: readonly DeclaredField[], text: string): ApiKey[] {
  return numberedKeys(6).map((key, index) => ({
    ...withValues(key, fields, ({ name }) => `${name} ${text}`),
    createdAt: BigInt(index) as Timestamp,
    status: 'active',
  }));
}

const recordsFrom = (keys: readonly ApiKey[]) => keys.map(renderApiKey).sort();

describeEachStore('a declared field', open => {
  for (const names of groups)
    test(`may have the name ${names[0]}, or any other up to ${names.at(-1)}`, async t => {
      const { writer } = open;
      const fields = await declare(writer, names, 70);
      atEndOf(t, async () => {
        for (const { name } of fields) await writer.removeField(name);
      });
      const { id } = await createOrganization(writer);
      const other = await createOrganization(writer);
      const first = keysWith(fields, 'first');
      const second = keysWith(fields, 'second');
      const third = keysWith(fields, 'third');
      const lines = (keys: readonly ApiKey[]) =>
        keys.map((key, index) => ({ line: index + 1, organizationId: id, key }));
      const isNow = async (expected: readonly ApiKey[]) =>
        assert.deepEqual((await recordsOf(writer, id)).sort(), recordsFrom(expected));

      assert.equal((await writer.putApiKeys(id, first.slice(0, 4))).inserted, 4);
      assert.equal((await writer.putApiKeys(id, second.slice(0, 1))).updated, 1);
      const mixed = [...second.slice(0, 3), ...first.slice(3)];
      const { importId, inserted, updated, unchanged } = await importLines(writer, lines(mixed));
      assert.deepEqual({ inserted, updated, unchanged }, { inserted: 2, updated: 2, unchanged: 2 });
      await isNow(mixed);
      await writer.revertImport(importId as ImportId, {});
      await isNow(mixed.slice(0, 4));

      const [newest] = third as [ApiKey];
      const elsewhere = { line: 6, organizationId: other.id, key: newest };
      assert.deepEqual(
        await writer.feedApiKeys([...lines(third.slice(0, 5)), elsewhere]),
        ['updated', 'updated', 'updated', 'updated', 'inserted', 'inserted'].map(result => ({ result })),
      );
      const createdLater = second.map(key => ({ ...key, createdAt: 9n as Timestamp }));
      const { refusals } = await importLines(
        writer,
        [...lines([...third.slice(0, 2), ...createdLater.slice(2, 4), newest]), elsewhere],
        { skipRefused: true },
      );
      assert.deepEqual(refusals.map(({ line }) => line).sort(), [3, 4, 5]);
      await writer.setStatus(id, [newest.id], 'inactive');
      const expected: ApiKey[] = [{ ...newest, status: 'inactive' }, ...third.slice(1, 5)];
      await isNow(expected);

      const { findings } = await checkStore(open.store);
      assert.deepEqual(
        findings.filter(({ about }) => about === 'rows'),
        [],
      );
    });
});
