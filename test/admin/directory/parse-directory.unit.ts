import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ParsedDirectory, parseDirectory } from '../../../src/admin/directory/parse-directory.ts';

const CSV = `ID;Full name;E-Mail;Team;Left on;Phone
user_1;"Miller; Ann";ann@example.com;Payments;2026-03-01;12
svac_1;"a ""bot""
of two lines";ANN@example.com;;;
wrkspc_1;Production;;;;
`;
const JSON_TEXT = JSON.stringify([
  {
    id: 'user_1',
    kind: 'user',
    name: 'Miller; Ann',
    mail: 'ann@example.com',
    team: 'Payments',
    left_on: '2026-03-01',
  },
  {
    id: 'svac_1',
    kind: 'Service account',
    name: 'a "bot"\nof two lines',
    mail: 'ANN@example.com',
    left_on: null,
  },
  { id: 'wrkspc_1', kind: 'workspace', name: 'Production', Phone: 12 },
]);

function directoryOf(text: string) {
  const parsed = parseDirectory(text);
  assert('directory' in parsed, JSON.stringify(parsed));
  return parsed;
}
const problemsOf = (parsed: ParsedDirectory) => ('problems' in parsed ? parsed.problems : []);

for (const [form, text] of Object.entries({ 'CSV of a spreadsheet': CSV, JSON: JSON_TEXT }))
  test(`a directory as ${form} tells names, teams, mail addresses and who has left, and which columns it ignores`, () => {
    const { directory, ignored } = directoryOf(`\uFEFF${text}`);
    assert.deepEqual(ignored, ['Phone']);
    assert.equal(directory.size, 3);
    assert.equal(directory.creatorName('user_1'), 'Miller; Ann');
    assert.equal(directory.creatorName('svac_1'), 'a "bot"\nof two lines');
    assert.equal(directory.creatorName('user_2'), 'user_2');
    assert.equal(directory.workspaceName('wrkspc_1'), 'Production');
    assert.deepEqual(directory.idsOf('Ann@Example.com'), ['user_1', 'svac_1']);
    assert.deepEqual(directory.idsOf(''), []);
    assert(directory.isOfTeam('user_1', 'payments') && !directory.isOfTeam('svac_1', ''));
    const left = ['2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00Z'].map(time => Date.parse(time));
    assert.deepEqual(
      left.map(now => directory.hasLeft('user_1', now)),
      [false, true],
    );
    assert(!directory.hasLeft('svac_1', Date.now()) && !directory.hasLeft('user_2', Date.now()));
    assert.equal(directory.tellsLeft, true);
  });

test('a directory without a column of leaving dates tells so, and which columns it ignores, in any language, without guesses', () => {
  const text = 'id,lef_on,Kündigung,Status [READ ONLY],2026-03-01\nuser_1,2026-03-01,,,\n';
  const { directory, ignored } = directoryOf(text);
  assert.equal(directory.tellsLeft, false);
  assert.deepEqual(ignored, ['lef_on', 'Kündigung', 'Status [READ ONLY]', '(unprintable)']);
  assert.equal(directoryOf('id,left_on\nuser_1,\n').directory.tellsLeft, true);
});

test('a workspace is no creator, and a creator no workspace, where the file tells the kinds', () => {
  const { directory } = directoryOf(JSON_TEXT);
  assert.deepEqual([directory.workspace('user_1'), directory.creator('wrkspc_1')], [undefined, undefined]);
});

test('each problem names its line and field, and repeats no value', () => {
  const of = (text: string) => problemsOf(parseDirectory(text));
  for (const [text, ...expected] of [
    ['', 'is empty'],
    ['id,name\n', 'has no entry'],
    ['[]', 'has no entry'],
    ['{"id":"a"}', 'must be a list of objects, or CSV with a heading'],
    ['[{"id":"a"', 'is not JSON'],
    ['id,name\na,"b\n', 'is not CSV: a quote is never closed'],
    ['name,mail,7777\nAnn,x\n', 'id: is missing: the headings are name, mail, (unprintable)'],
    ['[{"name":"Ann"},{"mail":"x"}]', 'id: is missing: the headings are name, mail'],
    [
      'id,name\n,Ann\n',
      'line 2: id: is missing: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key',
    ],
    ['id,mail,email\na,,\n', 'line 1: email: is a second mail: leave one'],
    ['id,name\na,b,c\n', 'line 2: must have as many columns as the heading'],
    [
      'id,mail\n"a\n",x\n\na,\n',
      'line 2: mail: must be a mail address, or empty',
      'line 5: id: is that of line 2 too: leave one',
    ],
    [
      'id,left_on\nann lee,01.03.2026\n',
      'line 2: id: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key',
      'line 2: left_on: must be a day such as 2026-03-01, or empty',
    ],
    ['[{"id":"a"},7]', 'must be a list of objects, or CSV with a heading'],
    [
      '[{"id":"a"},{"id":5,"kind":"robot"}]',
      'entry 2: id: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key',
      'entry 2: kind: must be one of person, service_account, workspace, or empty',
    ],
  ] as const)
    assert.deepEqual(of(text), expected, text);
  const many = of(`id\n${'ann lee\n'.repeat(30)}`);
  assert.deepEqual([many.length, many.at(-1)], [11, 'and 20 more']);
  assert(!JSON.stringify(many).includes('ann'));
});
