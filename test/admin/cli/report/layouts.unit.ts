import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sectionText, tableText } from '../../../../src/admin/cli/report/layouts.ts';

const LONG = ['n'.repeat(1_000), '\u0301'.repeat(1_000), '\u202e'.repeat(1_000), '🚀'.repeat(1_000)];

const columns = (...headings: string[]) =>
  headings.map(
    (heading, at) =>
      ({
        name: heading,
        heading,
        cell: (row: readonly string[]) => row[at] ?? '',
        cut: heading === 'ID' ? 'nothing' : 'end',
        min: 4,
      }) as const,
  );

test('a row is a line, with tabs between the cells, as short beside a long name as without one', () => {
  const rows = [['apikey_1', 'short', '12'], ...LONG.map((name, index) => [`apikey_${index}`, name, '3'])];
  const text = [...tableText(columns('ID', 'NAME', 'DAYS'), rows, [])].join('');
  const [heading, short, ...others] = text.split('\n');
  assert.deepEqual([heading, short], ['ID\tNAME\tDAYS', 'apikey_1\tshort\t12']);
  assert.equal(others.pop(), '');
  assert.equal(others.length, LONG.length);
  for (const line of others) {
    assert.match(line, /^apikey_\d\t[^\t]+\.\.\.\t3$/);
    assert(Buffer.byteLength(line) < 270);
    assert(line.isWellFormed());
  }
});

test('an ID is never cut, and a cell that has a tab or a line break is one cell of one line', () => {
  const id = `apikey_${'x'.repeat(121)}`;
  assert.deepEqual(
    [...tableText(columns('ID', 'NAME'), [[id, 'a\tb\nc']], [])].join(''),
    `ID\tNAME\n${id}\ta\\tb\\nc\n`,
  );
});

test('a section has its groups with their numbers, and no bar', () => {
  const section = {
    title: 'By status',
    groups: [{ label: 'active', keys: 1_200, active: 1_200, activeText: '1,200' }],
    more: 0,
  };
  assert.equal(sectionText(section), '\tkeys\tactive\nactive\t1,200\t1,200\n');
});
