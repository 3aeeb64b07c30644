import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../../../src/operator/import/read-csv.ts';
import { CSV_COLUMNS, csvHeader } from '../../../src/shared/formats/render-csv.ts';
import { decodeUtf8 } from '../../../src/shared/formats/text.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import { assertNoTrace, shortApiKeyCanary } from '../../support/canaries.ts';
import { chunksOf, linesOf, OF_ONE } from '../../support/chunks.ts';

const CSV_HEADER = csvHeader(CSV_COLUMNS);

const row = (name: string) => `k,${name},2024-10-30T23:58:27.427722Z,user_a,user,sk-ven...igAA,active,w\n`;
const many = row('fine').repeat(50);

async function refusalOf(text: string, size?: number): Promise<string> {
  try {
    await linesOf(readCsv(decodeUtf8(chunksOf(text, size)), OF_ONE));
  } catch (error) {
    assert.ok(error instanceof Refused, String(error));
    return error.message;
  }
  return assert.fail('the file was accepted');
}

const headers: [from: string, to: string, message: string][] = [
  ['workspace_id', 'workspace_id,token', 'unknown column token'],
  [',created_by.type', '', 'column created_by.type is missing'],
  ['status', 'status,status', 'duplicate column status'],
  ['status', 'STATUS', 'unknown column STATUS; column status is missing'],
  ['status', 'a\u001bb', 'unknown column (unprintable); column status is missing'],
];
for (const [from, to, message] of headers) {
  test(`a file is refused for its header: ${message}`, async () => {
    const header = CSV_HEADER.replace(from, to);
    for (const text of [header, `${header}${row('a')}`, `\uFEFF${header}`, header.replace('\n', '\r\n')])
      assert.equal(await refusalOf(text), `line 1: ${message}`);
  });
}

test('a file without a header is refused', async () => {
  const message = `line 1: a header with the columns ${CSV_COLUMNS.join(',')} is required`;
  for (const text of ['', '\uFEFF']) assert.equal(await refusalOf(text), message);
  for (const text of [row('a'), CSV_HEADER.replaceAll(',', ';')])
    assert.match(await refusalOf(text), /^line 1: unknown column .*; column id is missing; /);
});

const malformed: [what: string, name: string, message: string][] = [
  ['a quote inside a column', 'a"b', "a quote inside column 2, which isn't quoted as a whole"],
  ['text after a closing quote', '"a"b', 'text after the closing quote of column 2'],
  ['a space before a quote', ' "a"', "a quote inside column 2, which isn't quoted as a whole"],
];
for (const [what, name, problem] of malformed) {
  test(`a file with ${what} is refused with the line and the column, also after multi-line names`, async () => {
    const text = `${CSV_HEADER}${row('"a\nb\nc"')}${row('"d\n"')}${row(name)}${many}`;
    for (const size of [1, 7, Infinity]) {
      assert.equal(await refusalOf(text, size), `line 7: ${problem}`);
      assert.equal(await refusalOf(text.replaceAll('\n', '\r\n'), size), `line 7: ${problem}`);
    }
  });
}

test('an unclosed quote is refused with the line and the column where it opens', async () => {
  const text = `${CSV_HEADER}${row('fine')}${row('"a')}${many}`;
  assert.equal(await refusalOf(text), 'line 3: the quote that opens column 2 is never closed');
});

test('a row over 64 KiB is refused with the line where it begins', async () => {
  const problem = 'line 3: a row of more than 65536 bytes: is a quote missing?';
  assert.equal(await refusalOf(`${CSV_HEADER}${row('fine')}${row('x'.repeat(70_000))}`), problem);
  assert.equal(await refusalOf(`${CSV_HEADER}${row('fine')}${row('"a')}${many.repeat(40)}`), problem);
});

test('no refusal repeats a key in place of a header or a name', async () => {
  const key = shortApiKeyCanary();
  const texts = [
    `${key},${CSV_HEADER}`,
    `${key}\n`,
    CSV_HEADER.replace('name', key),
    `${CSV_HEADER}${row(`"${key}`)}`,
    `${CSV_HEADER}${row(`a"${key}`)}`,
    `${CSV_HEADER}${row(`"a"${key}`)}`,
  ];
  for (const [number, text] of texts.entries())
    assertNoTrace([key], await refusalOf(text), `the refusal of text ${number}`);
});
