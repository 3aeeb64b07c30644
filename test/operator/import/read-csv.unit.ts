import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCsv } from '../../../src/operator/import/read-csv.ts';
import { renderApiKey } from '../../../src/service/roster/api-key.ts';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../../src/shared/formats/render-csv.ts';
import { decodeUtf8 } from '../../../src/shared/formats/text.ts';
import type { ApiKeyRecord } from '../../../src/shared/record/api-key-record.ts';
import { chunksOf, linesOf, OF_ONE, refusalsIn } from '../../support/chunks.ts';
import { record } from '../../support/import-file.ts';

const CSV_HEADER = csvHeader(CSV_COLUMNS);

const CREATED = '2024-10-30T23:58:27.427722Z';
const row = (id: string, name = id, rest = `user,sk-ven...igAA,active,w`) =>
  `${id},${name},${CREATED},user_a,${rest}`;
const badRow = (id: string, name = id) => row(id, name, 'user,sk-ven...igAA,gone,w');
const file = (...rows: string[]) => CSV_HEADER + rows.map(each => `${each}\n`).join('');
const read = (text: string, size?: number) => linesOf(readCsv(decodeUtf8(chunksOf(text, size)), OF_ONE));
const namesIn = async (text: string, size?: number) =>
  (await read(text, size)).map(line => ('key' in line ? line.key.name : assert.fail(JSON.stringify(line))));

describe('a name in CSV', () => {
  const names: [what: string, written: string, name: string][] = [
    ['a quoted comma', '"a,b"', 'a,b'],
    ['doubled quotes', '"say ""hi"""', 'say "hi"'],
    ['a CR alone', '"a\rb\r"', 'a\rb\r'],
    ['quotes around nothing', '""', ''],
    ['a byte-order mark inside', 'a\uFEFFb', 'a\uFEFFb'],
  ];
  for (const [what, written, name] of names) {
    test(`with ${what} is read unchanged, however the bytes are split into chunks`, async () => {
      const text = file(row('k1', written), row('k2'));
      for (const form of [
        text,
        `\uFEFF${text}`,
        text.slice(0, -1),
        `\uFEFF${text.replace(/\n(?=k2|$)/g, '\r\n')}`,
      ])
        for (const size of [1, 2, 3, Infinity]) assert.deepEqual(await namesIn(form, size), [name, 'k2']);
    });
  }
});

test('columns may be in any order and quoted, also after a byte-order mark', async () => {
  const values = Object.fromEntries(
    CSV_COLUMNS.map((column, index) => [column, row('k1').split(',')[index]]),
  );
  const columns = CSV_COLUMNS.toReversed();
  const text = `\uFEFF${columns.map(each => `"${each}"`).join(',')}\n${columns.map(each => values[each]).join(',')}\n`;
  assert.deepEqual(await namesIn(text), ['k1']);
});

test('an empty workspace is the default workspace, and every other field has its column', async () => {
  const text = file(row('k1', 'One', 'service_account,sk-ven...igAA,inactive,'));
  const [line] = await read(text);
  assert.deepEqual(
    JSON.parse(renderApiKey(line && 'key' in line ? line.key : assert.fail())),
    record('k1', {
      name: 'One',
      created_by: { id: 'user_a', type: 'service_account' },
      partial_key_hint: 'sk-ven...igAA',
      status: 'inactive',
      workspace_id: null,
    }),
  );
});

test('a header without rows, and empty rows, give no records', async () => {
  for (const text of [CSV_HEADER, CSV_HEADER.trimEnd(), file('', ''), file('\r', '\r')])
    assert.deepEqual(await read(text), []);
});

for (const end of ['\n', '\r\n'])
  test(`a refused row is reported with its first line, column and text, with ${JSON.stringify(end)}`, async () => {
    const rows = [row('k1', '"a\nb"'), badRow('k2', '"c\nd"'), '', badRow('k3')];
    const text = file(...rows).replaceAll('\n', end);
    for (const size of [1, Infinity])
      assert.deepEqual(refusalsIn(await read(text, size)), [
        [4, 'status', badRow('k2', `"c${end}d"`)],
        [7, 'status', badRow('k3')],
      ]);
  });

test("a CR alone doesn't end a line", async () => {
  const text = file(row('k1', '"a\rb"'), row('k2', 'c\rd'), badRow('k3'));
  assert.deepEqual(refusalsIn(await read(text)), [[4, 'status', badRow('k3')]]);
});

test("a row with too few or too many columns doesn't affect the other rows", async () => {
  const lines = await read(file('k1,One', row('k2'), `${row('k3')},`));
  assert.deepEqual(refusalsIn(lines), [
    [2, 'has 2 columns, the header has 8', 'k1,One'],
    [4, 'has 9 columns, the header has 8', `${row('k3')},`],
  ]);
  assert.equal(lines.length, 3);
});

test('a rendered row has quotes only where RFC 4180 requires them', () => {
  const rendered = (name: string) => renderCsvRow(record('k1', { name, workspace_id: null }) as ApiKeyRecord);
  const expected = (name: string) => `k1,${name},${CREATED},user_a,user,sk-ven-api03-R2D...igAA,active,\n`;
  assert.equal(rendered('Łódź, "7"\r\n'), expected('"Łódź, ""7""\r\n"'));
  assert.equal(rendered(' plain; text '), expected(' plain; text '));
});
