import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCsv } from '../../../src/operator/import/read-csv.ts';
import { readJsonLines } from '../../../src/operator/import/read-json-lines.ts';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../../src/shared/formats/render-csv.ts';
import { decodeUtf8 } from '../../../src/shared/formats/text.ts';
import { parseName } from '../../../src/shared/record/name.ts';
import { apiKey } from '../../support/arbitraries.ts';
import { cutAt, linesOf, OF_ONE } from '../../support/chunks.ts';

const CSV_HEADER = csvHeader(CSV_COLUMNS);

/** Names made of characters that have a meaning in CSV or JSON. */
const specialName = fc
  .string({ unit: fc.constantFrom(...'",\n\r \t\\\uFEFF\u2028é🗝a;\'=+-@') })
  .filter(text => parseName(text) !== undefined);
const keys = fc.array(
  fc
    .tuple(apiKey(), fc.option(specialName))
    .map(([key, name]): ApiKey => ({ ...key, name: name ?? key.name })),
  { maxLength: 6 },
);
const cuts = fc.array(fc.nat(), { maxLength: 12 });

const csvOf = (all: readonly ApiKey[], options = {}) =>
  CSV_HEADER + all.map(key => renderCsvRow(JSON.parse(renderApiKey(key)), options)).join('');
const jsonLinesOf = (all: readonly ApiKey[]) => all.map(key => `${renderApiKey(key)}\n`).join('');
const keysIn = async (source: Parameters<typeof linesOf>[0]) =>
  (await linesOf(source)).map(line => ('key' in line ? line.key : assert.fail(JSON.stringify(line))));

test('any records rendered as CSV are read back unchanged, however the bytes are split', async () => {
  const property = fc.asyncProperty(
    keys,
    cuts,
    fc.boolean(),
    fc.boolean(),
    async (all, places, marked, exact) => {
      const text = (marked ? '\uFEFF' : '') + csvOf(all, { exact });
      assert.deepEqual(await keysIn(readCsv(decodeUtf8(cutAt(text, places)), OF_ONE, { exact })), all);
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test('any records rendered as JSON Lines are read back unchanged, however the bytes are split', async () => {
  const property = fc.asyncProperty(keys, cuts, async (all, places) => {
    assert.deepEqual(await keysIn(readJsonLines(cutAt(jsonLinesOf(all), places), OF_ONE)), all);
  });
  await fc.assert(property, { numRuns: 100 });
});
