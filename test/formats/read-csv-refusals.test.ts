import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv } from '../../src/formats/read-csv.ts';
import { CSV_COLUMNS, CSV_HEADER } from '../../src/formats/render-csv.ts';
import { decodeUtf8 } from '../../src/formats/text.ts';
import { Refused } from '../../src/roster/errors.ts';
import { assertNoTrace, shortApiKeyCanary } from '../support/canaries.ts';
import { chunksOf, linesOf, OF_ONE } from '../support/chunks.ts';

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

const headers: [what: string, header: string, message: string][] = [
  ['an unknown column', `${CSV_HEADER.trim()},token\n`, 'line 1: unknown column token'],
  [
    'a missing column',
    CSV_HEADER.replace(',created_by.type', ''),
    'line 1: column created_by.type is missing',
  ],
  ['a column twice', CSV_HEADER.replace('status', 'status,status'), 'line 1: duplicate column status'],
  [
    'a column in capitals',
    CSV_HEADER.replace('status', 'STATUS'),
    'line 1: unknown column STATUS; column status is missing',
  ],
  [
    'a column that is no name',
    CSV_HEADER.replace('status', 'a\u001bb'),
    'line 1: unknown column (unprintable); column status is missing',
  ],
];
for (const [what, header, message] of headers) {
  test(`a file whose header has ${what} is refused with the column and the line`, async () => {
    for (const text of [header, `${header}${row('a')}`, `\uFEFF${header}`, header.replace('\n', '\r\n')])
      assert.equal(await refusalOf(text), message);
  });
}

test('a file without a header is refused', async () => {
  const message = `line 1: a header with the columns ${CSV_COLUMNS.join(',')} is required`;
  for (const text of ['', '\uFEFF']) assert.equal(await refusalOf(text), message);
  assert.match(await refusalOf(row('a')), /^line 1: unknown column .*; column id is missing; /);
});

test('semicolons in place of commas are refused at the header', async () => {
  assert.match(await refusalOf(CSV_HEADER.replaceAll(',', ';')), /^line 1: .*column id is missing/);
});

const malformed: [what: string, name: string, message: string][] = [
  ['a quote inside a column', 'a"b', "a quote inside column 2, which isn't quoted as a whole"],
  ['text after a closing quote', '"a"b', 'text after the closing quote of column 2'],
  ['a space before a quote', ' "a"', "a quote inside column 2, which isn't quoted as a whole"],
  ['a space after a quote', '"a" ', 'text after the closing quote of column 2'],
];
for (const [what, name, problem] of malformed) {
  test(`a file with ${what} is refused with the line and the column`, async () => {
    const text = `${CSV_HEADER}${row('fine')}${row(name)}${many}`;
    for (const size of [1, 7, Infinity]) {
      assert.equal(await refusalOf(text, size), `line 3: ${problem}`);
      assert.equal(await refusalOf(text.replaceAll('\n', '\r\n'), size), `line 3: ${problem}`);
    }
  });

  test(`${what} after multi-line names is refused with the right line`, async () => {
    const text = `${CSV_HEADER}${row('"a\nb\nc"')}${row('"d\n"')}${row(name)}${many}`;
    assert.equal(await refusalOf(text), `line 7: ${problem}`);
    assert.equal(await refusalOf(text.replaceAll('\n', '\r\n')), `line 7: ${problem}`);
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
