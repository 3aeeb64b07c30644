import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { savedRoster } from '../../../../src/admin/cli/saved/saved-roster.ts';
import { csvTextRows } from '../../../../src/shared/formats/csv-text.ts';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../../../src/shared/formats/render-csv.ts';
import { Refused } from '../../../../src/shared/record/faults.ts';
import { apiKeyCanary, assertNoTrace } from '../../../support/canaries.ts';
import { jsonLines, listedJson, record } from '../../../support/import-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'keyroster-'));
after(() => rmSync(folder, { recursive: true }));
const FILE = join(folder, 'roster');

async function read(content: string | Uint8Array, exact = false): Promise<unknown[]> {
  writeFileSync(FILE, content);
  const records: unknown[] = [];
  for await (const batch of savedRoster(FILE, exact).records) records.push(...batch);
  return records;
}

const records = [
  record('k2', { name: '=1+1', team: 'a;b' }),
  record('k1', { workspace_id: null, name: `"x", 'y'\n]}[{ é 🔑`, team: 'x' }),
];
/** Of several chunks, which end anywhere. */
const many = Array.from({ length: 1_000 }, (_, index) =>
  record(`k${index}`, { name: `"${'é'.repeat(index)}\\` }),
);
const columns = [...CSV_COLUMNS, 'team'];
const csv = (exact: boolean) =>
  csvHeader(columns) + records.map(each => renderCsvRow(each as never, { exact, columns })).join('');
const separatedBy = (separator: string) => {
  const rows = Array.from(csvTextRows(csv(false)), ({ cells }) => cells);
  return rows.map(row => row.map(cell => `"${cell.replaceAll('"', '""')}"`).join(separator)).join('\n');
};
const fromCsv = records.map(({ type: _, ...each }) => each);

describe('a saved roster', () => {
  for (const [form, content, expected, exact] of [
    ['JSON Lines', jsonLines(records), records],
    ['JSON Lines after a byte-order mark', `\uFEFF\n${jsonLines(records)}`, records],
    ['CSV as list and export write it', csv(false), fromCsv],
    ['CSV that was written with --exact', csv(true), fromCsv, true],
    [
      'CSV with CR and LF, and a byte-order mark',
      `\uFEFF"id"${csv(false).slice(2).split('\n').slice(0, 2).join('\r\n')}\r\n`,
      fromCsv.slice(0, 1),
    ],
    ['JSON of list', listedJson(records), records],
    ['JSON of the console', `[\n${records.map(each => JSON.stringify(each)).join(',\n')}\n]\n`, records],
    ['a page as curl saves it', JSON.stringify({ data: records, first_id: 'k2', has_more: false }), records],
    [
      'a page over several lines',
      `\uFEFF${JSON.stringify({ has_more: false, data: records }, null, 2)}\n`,
      records,
    ],
    ['a large page', JSON.stringify({ data: many }, null, 2), many],
    ['pages one after another', records.map(each => JSON.stringify({ data: [each] })).join('\n'), records],
    [
      'pages of list one after another',
      listedJson(records.slice(0, 1), true) + listedJson(records.slice(1)),
      records,
    ],
    [
      'a page with other fields around its records',
      JSON.stringify({ meta: [{ data: [{}] }], data: records, errors: [{ has_more: [] }], has_more: false }),
      records,
    ],
    ['a list over several lines', JSON.stringify(records, null, '\t'), records],
    ['records over several lines', records.map(each => JSON.stringify(each, null, 2)).join('\n'), records],
    ['CSV with semicolons', separatedBy(';'), fromCsv],
    ['CSV with tabs', separatedBy('\t'), fromCsv],
    ['JSON without keys', '{"data":[],"first_id":null,"last_id":null,"has_more":false}', []],
    ['CSV without keys, but with an empty line', `${csvHeader(columns)}\n`, []],
  ] as const)
    test(`is read from ${form}, plain and gzip`, async () => {
      assert.deepEqual(await read(content, exact), expected);
      assert.deepEqual(await read(gzipSync(content), exact), expected);
    });

  test('may have unknown fields and unknown values', async () => {
    const lenient = [
      record('k3', { status: 'paused', extra: { deep: [1] } }),
      record('k|4+', { status: null, created_by: null, partial_key_hint: '…igAA', workspace_id: undefined }),
      record('k5', { created_at: 'yesterday', partial_key_hint: null }),
    ].map(each => JSON.parse(JSON.stringify(each)));
    assert.deepEqual(await read(jsonLines(lenient)), lenient);
  });

  const line = (parts: object) => jsonLines([record('k1'), record('k2', parts as never)]);
  for (const [what, content, message] of [
    ['an empty file', '', /roster: is empty, as .* cut off is: .*saved with --format json or csv/],
    ['white space', ' \n\n', /roster: is empty/],
    [
      'a line that is cut off',
      jsonLines(records).slice(0, -20),
      /roster: line 2: the end is missing: is the file cut off\?/,
    ],
    [
      'a document that is cut off',
      listedJson(records).split('\n').slice(0, -2).join('\n'),
      /roster: line 3: the end is missing: is the file cut off\?/,
    ],
    [
      'a page that is cut off',
      `\n${JSON.stringify({ data: records }).slice(0, -30)}`,
      /line 2: the end is missing/,
    ],
    ['a page of what is not JSON', '{"data":[{"id":oops}]}', /roster: line 1: not JSON$/],
    [
      'a page of what is not UTF-8',
      Buffer.from('{"data":[{"id":"\xff"}]}', 'latin1'),
      /roster: line 1: not UTF-8$/,
    ],
    [
      'a page with a record without a time',
      JSON.stringify({ data: [record('a'), record('b', { created_at: 1 })] }),
      /line 1: lacks created_at/,
    ],
    ['a text that never ends', `{"data":["${'x'.repeat(70_000)}`, /line 1: longer than 65536 bytes/],
    ['what is no page behind one', `${listedJson(records)}oops`, /line 5: not JSON$/],
    [
      'gzip that is cut off',
      gzipSync(jsonLines(records)).subarray(0, -9),
      /roster: gzip: the data is corrupt or incomplete/,
    ],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(jsonLines(records)), Buffer.from([0x7b, 0xff])]),
      /roster: line 3: the end is missing/,
    ],
    ['CSV that is not UTF-8', Buffer.from('id,created_at,\xff', 'latin1'), /roster: the file is not UTF-8/],
    ['no ID', line({ id: undefined }), /roster: line 2: id: must be 1 to 1000 visible/],
    ['a time that is no text', listedJson([record('a', { created_at: 1 })]), /line 2: lacks created_at/],
    [
      'a hint that shows too much',
      line({ partial_key_hint: 'sk-ven-api03-R2DigAA' }),
      /line 2: partial_key_hint/,
    ],
    [
      'CSV of some columns',
      'id,created_at,status\nk1,2024-10-30T23:58:27Z,active\n',
      /lacks name, .*: save the roster with all columns$/,
    ],
    ['records of another type', line({ type: 'user' }), /line 2: is not an API key/],
    ['a list of numbers', '[\n1,\n2\n]\n', /line 4: has something else than records in its list/],
    ['an error of the API', '{"type":"error","error":{"type":"api_error"}}', /line 1: is not an API key/],
    [
      'other CSV',
      'name,email\nx,y\n',
      /roster: is no roster that was saved as .* or as CSV with all columns/,
    ],
    [
      'a table of a pipe',
      'k1\tOne\tactive\nk2\tA "b"\tactive\n',
      /is no roster that was saved as JSON Lines.* --format jsonl/,
    ],
    [
      'a table of a terminal',
      'ID  NAME  STATUS\nk1  One  active\nk2  A "b"  active\n',
      /roster: is no roster that was saved/,
    ],
    ['a list in a list', '[[{"id":"a"}]]', /line 1: has something else than records/],
    [
      'lines of which one is no record',
      `${jsonLines(records)}oops\n${jsonLines(records)}`,
      /line 4: not JSON$/,
    ],
    ['a web page', '<!doctype html>\n<p>', /is no roster that was saved/],
    [
      'a row that is too short',
      `${csvHeader(CSV_COLUMNS)}k1\n`,
      /line 2: must have as many columns as the header/,
    ],
    ['a column twice', 'id,created_at,status,status\n', /line 1: duplicate column status/],
    [
      'a record that is too long',
      listedJson([record('a', { name: 'x'.repeat(70_000) })]),
      /line 2: longer than/,
    ],
  ] as const)
    test(`is refused where it has ${what}`, async () => {
      await assert.rejects(read(content), (error: Error) => {
        assert.ok(error instanceof Refused);
        assert.match(error.message, message);
        return true;
      });
    });

  test('is refused where there is no such file, or a folder', async () => {
    const of = async (file: string) => {
      for await (const _ of savedRoster(file).records) assert.fail();
    };
    await assert.rejects(of(join(folder, 'missing')), /^Refused: can't read .*missing: ENOENT/);
    await assert.rejects(of(folder), /is a folder: give a file/);
  });

  test('is refused where it has key material, which no message repeats', async () => {
    const { key, hint } = apiKeyCanary();
    const parts = [
      { partial_key_hint: key },
      { partial_key_hint: hint, name: `prod ${key}` },
      { partial_key_hint: hint, secret: key },
      { partial_key_hint: hint, created_by: { id: key, type: 'user' } },
      { partial_key_hint: hint, id: key },
      { partial_key_hint: hint, [key]: key },
      { partial_key_hint: hint, created_at: key },
    ];
    for (const part of parts)
      for (const content of [jsonLines([record('k', part)]), listedJson([record('k', part)])])
        await assert.rejects(read(content), (error: Error) => {
          assertNoTrace([key], error.message, Object.keys(part).length.toString());
          return error instanceof Refused;
        });
  });
});
