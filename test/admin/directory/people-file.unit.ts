import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { joinSteps } from '../../../src/admin/directory/join-files.ts';
import { resultOf } from '../../../src/admin/directory/steps.ts';
import { directoryOf, parsedPeople, peopleOf, problemsIn } from '../../support/people-files.ts';
import { rounds } from '../../support/rounds.ts';

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

for (const [form, text] of Object.entries({ 'CSV of a spreadsheet': CSV, JSON: JSON_TEXT }))
  test(`a directory as ${form} tells names, teams, mail addresses and who has left, and which columns it ignores`, () => {
    const { directory, ignored } = directoryOf(text);
    assert.deepEqual(ignored, ['people.csv: ignored: Phone']);
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

test('a directory without days or words of leaving tells so, and which columns it ignores, in any language, without guesses', () => {
  const text = 'id,lef_on,Kündigung,Status [READ ONLY],2026-03-01\nuser_1,2026-03-01,,,\n';
  const { directory, ignored } = directoryOf(text);
  assert.equal(directory.tellsLeft, false);
  assert.deepEqual(ignored, ['people.csv: ignored: lef_on, Kündigung, (unprintable)']);
  assert.equal(directoryOf('id,left_on\nuser_1,\n').directory.tellsLeft, true);
  assert.equal(directoryOf('[{"id":"user_1","left_on":null}]').directory.tellsLeft, true);
  assert.equal(directoryOf('id,status\nuser_1,Active\n').directory.tellsLeft, false);
  assert.equal(directoryOf('id,status\nuser_1,Terminated\n').directory.tellsLeft, true);
});

test('a workspace is no creator, and a creator no workspace, where the file tells the kinds', () => {
  const { directory } = directoryOf(JSON_TEXT);
  assert.deepEqual([directory.workspace('user_1'), directory.creator('wrkspc_1')], [undefined, undefined]);
});

test('each problem names its line and field, and repeats no value', () => {
  const of = (text: string) => {
    const read = parsedPeople(text);
    return problemsIn('problems' in read ? read : resultOf(joinSteps([read])));
  };
  const aPage = 'is one page of more: get all pages, and put their entries into one list';
  for (const [text, ...expected] of [
    ['', 'is empty'],
    ['id,name\n', 'has no entry'],
    ['[]', 'has no entry'],
    ['{"data":[],"has_more":false}', 'has no entry'],
    ['{"name":"a"}', 'must be a list of objects, or CSV with a heading'],
    ['[{"id":"a"', 'is not JSON'],
    ['{"id":"a"}\n{"id":"b"\n', 'line 2: is not JSON'],
    ['<html>', 'is HTML or XML: export CSV or JSON'],
    ['{"data":[{"id":"a"}],"has_more":true}', aPage],
    ['{"value":[{"id":"a"}],"@odata.nextLink":"https://graph.example/x"}', aPage],
    ['{"users":[{"id":"a"}],"nextPageToken":"x"}', aPage],
    ['{"totalResults":2,"Resources":[{"id":"a"}]}', aPage],
    ['{"results":[{"id":"a"}],"count":500,"next":"http://x"}', aPage],
    ['{"results":[{"id":"a"}],"paging":{"next":{"after":"1"}}}', aPage],
    ['{"data":[{"id":"a"}],"links":{"next":"x","prev":null}}', aPage],
    ['{"data":[{"id":"a"}],"next_page":2}', aPage],
    ['{"data":[{"id":"a"}],"total_pages":500}', aPage],
    ['{"data":[{"id":"a"}],"meta":{"total":500}}', aPage],
    ['{"pagination":{"total_count":"500"},"data":[{"id":"a"}]}', aPage],
    ['{"data":[{"id":"a"}],"cursor":"x"}', aPage],
    ['{"members":[{"id":"a"}],"response_metadata":{"next_cursor":"x"}}', aPage],
    ['id,name\na,"b\n', 'is not CSV: a quote is never closed'],
    [
      'name,phone,7777\nAnn,x,\n',
      'has no ID and no mail address: the headings are name, phone, (unprintable)',
    ],
    ['[{"name":"Ann"},{"phone":"x"}]', 'has no ID and no mail address: the headings are name, phone'],
    ['id,name\na,b,c\n', 'line 2: must have as many columns as the headings in line 1'],
    ['id,mail\n"a\n",x\n\na,\n', 'line 5: id: is that of line 2 too: leave one'],
    [
      'id,left_on\nann@example.com,2026-02-30\nbob,05/11/2026\n',
      'line 2: left_on: must be a day that can be read in one way only, such as 2026-03-01, or empty: choose that form in the export',
      'line 3: left_on: must be a day that can be read in one way only, such as 2026-03-01, or empty: choose that form in the export',
    ],
    [
      'id,mail\nann lee,\n',
      'line 2: id: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key',
    ],
    [
      'id,mail\n,ann@example.com\n',
      'line 2: id: is missing: must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key',
    ],
    ['[{"id":"a"},7]', 'entry 2: must be an object'],
  ] as const)
    assert.deepEqual(of(text), expected, text);
  const many = of(`id\n${'ann lee\n'.repeat(30)}`);
  assert.deepEqual([many.length, many.at(-1)], [11, 'and 20 more']);
  assert(!JSON.stringify(many).includes('ann'));
});

test('a day is read in every form that can be read in one way', () => {
  const may = Date.parse('2026-05-11');
  for (const [text, expected] of [
    ['2026-05-11', may],
    ['2026/5/11', may],
    ['11.05.2026', may],
    ['5.11.2026', Date.parse('2026-11-05')],
    ['2026-05-11 08:30', Date.parse('2026-05-11T08:30Z')],
    ['2026-05-11T08:30:00.0000000Z', Date.parse('2026-05-11T08:30Z')],
    ['2026-05-11 08:30:01 UTC', Date.parse('2026-05-11T08:30:01Z')],
    ['2026-05-11T08:30:00+0200', Date.parse('2026-05-11T06:30Z')],
    ['2026-05-11-07:00', Date.parse('2026-05-11T07:00Z')],
    ['0000-00-00', undefined],
    ['Never', undefined],
    ['N/A', undefined],
  ] as const)
    assert.equal(peopleOf(`id,Termination Date\na,${text}\n`).rows[0]?.leftOn, expected, text);
});

test('a word that is in no table tells nothing, and is told without what may be a value', () => {
  const { doubts, directory } = directoryOf(
    'id,status,type\na,Sabbatical,robot\nb,sk-12345678,\nc,Retired,user\n',
  );
  assert.deepEqual(doubts, [
    'people.csv: no known state or kind, so it tells nothing: Sabbatical, robot, (unprintable)',
  ]);
  assert.deepEqual(
    ['a', 'b', 'c'].map(id => directory.absence(id, Date.now())),
    [undefined, undefined, 'left'],
  );
  assert.deepEqual(directoryOf('id,activated\na,2020-01-01T00:00:00.000Z\n').doubts, []);
  assert.deepEqual(directoryOf('id,state\na,CA\nb,blocked\n').doubts, []);
});

test('any text is read or refused', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc
      .array(
        fc.array(fc.constantFrom('id', 'mail', 'status', '"', 'a@b.c', '', 'true', '2026-01-01'), {
          maxLength: 4,
        }),
      )
      .map(rows => rows.map(row => row.join(',')).join('\n')),
  );
  fc.assert(
    fc.property(texts, text => {
      const read = parsedPeople(text);
      if (!('problems' in read)) resultOf(joinSteps([read]));
    }),
    { numRuns: rounds(500) },
  );
});
