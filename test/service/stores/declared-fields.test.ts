import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { readCsv } from '../../../src/operator/import/read-csv.ts';
import { readJsonLines } from '../../../src/operator/import/read-json-lines.ts';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import type { DeclaredField } from '../../../src/service/roster/declared-fields.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import type { ImportLine } from '../../../src/service/roster/writes/imports.ts';
import type { NewField } from '../../../src/service/roster/writes/new-field.ts';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../../src/shared/formats/render-csv.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { apiKey } from '../../support/arbitraries.ts';
import { modelPage } from '../../support/changing-roster.ts';
import { newFields, withDeclaredValues } from '../../support/declared-values.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { createOrganization, importKeys, sqlite } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { postgres, type StoreKind, type TestStore } from '../../support/stores.ts';

async function replaceFields(writer: RosterWriter, fields: readonly NewField[]): Promise<DeclaredField[]> {
  for (const { name } of await writer.listFields()) await writer.removeField(name);
  for (const field of fields) await writer.addField(field);
  return [...(await writer.listFields())];
}

const recordsInOrder = (keys: readonly ApiKey[]) =>
  modelPage(keys, { limit: keys.length, cursor: null, filter: {} })?.data.map(each => JSON.stringify(each));

async function importLines(writer: RosterWriter, lines: AsyncIterable<readonly ImportLine[]>) {
  const refusals: unknown[] = [];
  const counts = await writer.importApiKeys(lines, { onRefused: refusal => refusals.push(refusal) });
  assert.deepEqual(refusals, []);
  return counts;
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value;
}

/** Keys whose hint masks no other text of theirs: such are rightly refused. */
const plainKey = apiKey().map((key): ApiKey => ({ ...key, partialKeyHint: 'k...z' as never }));
const rosters = newFields.chain(fields => {
  const numbered = fields.map((field, index) => ({ ...field, number: index + 1 }));
  const keys = fc.uniqueArray(withDeclaredValues(plainKey, numbered), {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 30,
  });
  return keys.map(all => ({ fields, keys: all }));
});

/** The same values, of the fields as a store has numbered them. */
const renumbered = (keys: readonly ApiKey[], fields: readonly DeclaredField[]) =>
  keys.map(({ declared = [], ...key }) => ({
    ...key,
    declared: fields.map((field, index) => ({ field, value: declared[index]?.value ?? null })),
  }));

describe('any roster with any declared fields', () => {
  const stores: { store: TestStore; writer: RosterWriter }[] = [];
  before(async () => {
    for (const kind of [sqlite, postgres] satisfies StoreKind[]) {
      const store = await kind.create();
      stores.push({ store, writer: await store.openWriter() });
    }
  });
  after(async () => {
    for (const { store, writer } of stores) {
      await writer.close();
      await store.remove();
    }
  });

  test('comes out of each store as it was put, and goes into the other by JSON Lines and CSV, byte for byte', async () => {
    const property = fc.asyncProperty(rosters, fc.boolean(), async ({ fields, keys }, exact) => {
      for (const [index, { writer }] of stores.entries()) {
        const declared = await replaceFields(writer, fields);
        const { id } = await createOrganization(writer);
        const ours = renumbered(keys, declared);
        await writer.putApiKeys(id, ours.slice(0, 9));
        const imported = await importKeys(writer, id, ours);
        assert.equal(imported.unchanged, Math.min(9, ours.length));
        const records = await recordsOf(writer, id);
        assert.deepEqual(records, recordsInOrder(ours));

        const other = stores[1 - index]?.writer as RosterWriter;
        const theirs = await replaceFields(other, fields);
        const byLines = await createOrganization(other);
        const lines = Buffer.from(records.map(record => `${record}\n`).join(''));
        await importLines(other, readJsonLines(once(lines), byLines, { fields: theirs }));
        assert.deepEqual(await recordsOf(other, byLines.id), records);

        const byCsv = await createOrganization(other);
        const columns = [...CSV_COLUMNS, ...fields.map(({ name }) => name)];
        const rows = records.map(record => renderCsvRow(JSON.parse(record), { exact, columns }));
        const csv = csvHeader(columns) + rows.join('');
        await importLines(other, readCsv(once(csv), byCsv, { exact, fields: theirs }));
        assert.deepEqual(await recordsOf(other, byCsv.id), records);
      }
    });
    await fc.assert(property, { numRuns: rounds(2), endOnFailure: true });
  });
});

describeEachStore('declared fields', open => {
  const rotated: NewField = { name: 'rotated_at', type: { kind: 'timestamp' } };
  const key = fc.sample(plainKey, 1)[0] as ApiKey;
  const valuesIn = async (organization: OrganizationId) =>
    (await recordsOf(open.writer, organization)).map(record => JSON.parse(record).rotated_at);

  test('are null in every record from when they are declared, and another of the same name has none of the values', async () => {
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, [key]);
    assert.deepEqual(await recordsOf(open.writer, id), [renderApiKey(key)]);
    for (const value of ['2026-01-02T03:04:05.678901Z', '0000-01-01T00:00:00.000000Z']) {
      const field = await open.writer.addField(rotated);
      assert.deepEqual(await valuesIn(id), [null]);
      await open.writer.putApiKeys(id, [{ ...key, declared: [{ field, value }] }]);
      assert.deepEqual(await valuesIn(id), [value]);
      await open.writer.removeField('rotated_at');
      assert.deepEqual(await recordsOf(open.writer, id), [renderApiKey(key)]);
      assert.deepEqual(await importKeys(open.writer, id, [key]).then(({ unchanged }) => unchanged), 1);
    }
  });

  test('keep their values when the status is set, and lose them when they are imported or put without', async () => {
    const { id } = await createOrganization(open.writer);
    const field = await open.writer.addField(rotated);
    const used = {
      ...key,
      status: 'active' as const,
      declared: [{ field, value: '2026-01-02T03:04:05.678901Z' }],
    };
    const { declared: _, ...unused } = used;
    await importKeys(open.writer, id, [used]);
    await open.writer.setStatus(id, [key.id], 'inactive');
    assert.deepEqual(await valuesIn(id), ['2026-01-02T03:04:05.678901Z']);
    await open.writer.putApiKeys(id, [unused]);
    assert.deepEqual(await valuesIn(id), [null]);
    assert.deepEqual(await importKeys(open.writer, id, [used]).then(({ updated }) => updated), 1);
    assert.deepEqual(await importKeys(open.writer, id, [unused]).then(({ updated }) => updated), 1);
    assert.deepEqual(await valuesIn(id), [null]);
    await open.writer.removeField('rotated_at');
    await assert.rejects(open.writer.putApiKeys(id, [used]), Refused);
  });
});
