import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { joinSteps } from '../../../src/admin/directory/join-files.ts';
import { resultOf } from '../../../src/admin/directory/steps.ts';
import { joinedOf, peopleOf, problemsIn } from '../../support/people-files.ts';
import { rounds } from '../../support/rounds.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
/** What a row of a company's file says, and which state that is. */
const SAID = [
  ['ACTIVE', '', 'here'],
  ['', '', 'here'],
  ['Active', '2026-12-01', 'here'],
  ['SUSPENDED', '', 'disabled'],
  ['Inactive', '2027-01-01', 'disabled'],
  ['Deprovisioned', '', 'left'],
  ['', '2026-11-28', 'left'],
  ['SUSPENDED', '2020-01-01', 'left'],
] as const;

const people = fc.integer({ min: 0, max: 7 });
const companyRow = fc.record({ person: people, said: fc.constantFrom(...SAID), isUpper: fc.boolean() });
const company = fc.array(companyRow, { minLength: 1, maxLength: 12 });

test('who is here, disabled or has left is what a simple join by mail address says, for any files in any order', () => {
  fc.assert(
    fc.property(fc.array(company, { minLength: 1, maxLength: 3 }), fc.nat(3), (files, vendorAt) => {
      const texts = files.map(rows => {
        const lines = rows.map(({ person, said: [status, day], isUpper }) => {
          const mail = `u${person}@example.com`;
          return `${isUpper ? mail.toUpperCase() : mail},${status},${day}\n`;
        });
        return `Login,Status,Termination Date\n${lines.join('')}`;
      });
      const vendor = Array.from({ length: 8 }, (_, person) => `user_${person},U${person}@example.com\n`);
      texts.splice(vendorAt, 0, `id,email\n${vendor.join('')}`);
      const { directory } = joinedOf(
        texts.map((text, index) => peopleOf(text, `${index}.csv`)),
        undefined,
        NOW,
      );
      for (let person = 0; person < 8; person++) {
        const said = files
          .flat()
          .filter(row => row.person === person)
          .map(row => row.said[2]);
        const expected = (['here', 'left', 'disabled'] as const).find(state => said.includes(state));
        assert.equal(directory.absence(`user_${person}`, NOW), expected === 'here' ? undefined : expected);
      }
    }),
    { numRuns: rounds(300) },
  );
});

const VENDOR = peopleOf(
  'id,kind,name,email\nuser_1,,Ann,ann@example.com\nuser_2,,,bob@example.com\n',
  'vendor.csv',
);

test("a person has the vendor's name and what the company adds, also by a second mail address", () => {
  const okta = peopleOf('login,email,manager\nann@example.com,ann.m@example.com,Eve\n', 'okta.csv');
  const staff = peopleOf('work email,name,team\nAnn.M@example.com,Ann Miller,Payments\n', 'staff.csv');
  const { directory, gave } = joinedOf([VENDOR, okta, staff]);
  assert.deepEqual(directory.creator('user_1'), {
    id: 'user_1',
    kind: undefined,
    name: 'Ann',
    mail: 'ann@example.com',
    team: 'Payments',
    manager: 'Eve',
    managerIn: 'okta.csv',
    state: undefined,
    leftOn: undefined,
  });
  assert.deepEqual(gave, [
    'vendor.csv: 2 row(s), 1 joined, 1 not; read: id, kind, name, email',
    'okta.csv: 1 row(s), 1 joined, 0 not; read: login, email, manager',
    'staff.csv: 1 row(s), 1 joined, 0 not; read: work email, name, team',
  ]);
});

test('of a mailbox that several have, each is who signs in by their own address', () => {
  const vendor = 'id,email\nuser_f,f@x.example\nuser_t,t@x.example\nuser_g,g@x.example\nuser_h,h@x.example\n';
  const company = [
    'login,email,status',
    'f@x.example,t@x.example,DEPROVISIONED',
    't@x.example,t@x.example,ACTIVE',
    'g@x.example,g@x.example,SUSPENDED',
    'h@x.example,g@x.example,DEPROVISIONED\n',
  ].join('\n');
  for (const texts of [
    [vendor, company],
    [company, vendor],
  ]) {
    const { directory } = joinedOf(
      texts.map((text, index) => peopleOf(text, `${index}.csv`)),
      undefined,
      NOW,
    );
    assert.deepEqual(
      ['user_f', 'user_t', 'user_g', 'user_h'].map(id => directory.absence(id, NOW)),
      ['left', undefined, 'disabled', 'left'],
    );
  }
});

const FOUR = 'user_a,a@x.example\nuser_b,b+ci@x.example\nuser_c,c@x.example\nuser_d,d@x.example\n';
const NUMBERED = FOUR.replaceAll(/user_(.)/g, (_, letter) => String('abcd'.indexOf(letter) + 1));

test('a row is of who signs in by it; its other addresses count only where that is nobody, which is told, and its ID where it has no address', () => {
  const vendor = peopleOf(`id,email\n${FOUR}`, 'v.csv');
  const other = "1 row(s) are joined by a mail address that isn't the one of the sign-in";
  for (const [company, left, ...doubts] of [
    ['login,email,status\na@x.example,d@x.example,DEPROVISIONED\n', 'user_a'],
    ['email,work_email,left_on\nd@x.example,a@x.example,2020-01-01\n', 'user_a'],
    ['mail_address,email,status\nd@x.example,a@x.example,left\n', 'user_a'], // by the order of the headings
    ['login,email,status\nz@x.example,d@x.example,left\n', 'user_d', other],
    ['id,login,status\nuser_a,b+ci@x.example,left\n', 'user_b'],
    ['id,login,status\nuser_a,z@x.example,left\n', ''],
    ['id,manager,status\nuser_a,z@x.example,left\n', 'user_a'],
    ['login,status\n\u200bb+ci@x.example,left\n', 'user_b'],
    ['login,status,status\na@x.example,active,left\nb+ci@x.example,,left\n', 'user_b'],
  ] as const)
    for (const files of [
      [vendor, peopleOf(company, 'c.csv')],
      [peopleOf(company, 'c.csv'), vendor],
    ]) {
      const joined = joinedOf(files, undefined, NOW);
      const ids = Array.from(joined.directory.entries, ({ id }) => id);
      assert.equal(ids.filter(id => joined.directory.hasLeft(id, NOW)).join(), left, company);
      assert.deepEqual(joined.doubts, doubts, company);
    }
  const chained = [
    vendor,
    peopleOf('login,email\na@x.example,d@x.example\n', 'okta.csv'),
    peopleOf('work email,status\nd@x.example,left\n', 'hr.csv'),
  ];
  const { directory } = joinedOf(chained, undefined, NOW);
  assert.deepEqual(
    ['user_a', 'user_d'].map(id => directory.hasLeft(id, NOW)),
    [false, true],
  );
});

test('an ID that is of another person in another file, by their mail addresses, is refused in any order of the files', () => {
  const refusal =
    "its ID is that of another person in another file, by their mail addresses: leave the IDs out of the file that has not the vendor's";
  for (const [vendor, company] of [
    [NUMBERED, '1,b+ci@x.example,left\n2,d@x.example,active\n'],
    [NUMBERED, '1,zed@x.example,left\n'],
    [FOUR, 'user_b,d@x.example,left\n'],
  ] as const) {
    const files = [
      peopleOf(`id,email\n${vendor}`, 'v.csv'),
      peopleOf(`id,email,status\n${company}`, 'c.csv'),
    ];
    for (const order of [files, files.toReversed()]) {
      const [problem = ''] = problemsIn(resultOf(joinSteps(order, undefined, NOW)));
      assert.equal(problem.replace(/^line \d: /, ''), refusal, company);
    }
  }
  const renamed = peopleOf('id,email,status\nuser_b,bob.new@x.example,left\n', 'own.csv');
  assert(joinedOf([peopleOf(`id,email\n${FOUR}`, 'v.csv'), renamed]).directory.hasLeft('user_b', NOW));
});

test('a mail address of more rows than one person has tells of nobody, however many they are', () => {
  const vendor = Array.from({ length: 300 }, (_, number) => `user_${number},all@x.example\n`).join('');
  const company = 'all@x.example,left\n'.repeat(150_000);
  const { directory } = joinedOf([
    peopleOf(`id,email\n${vendor}`, 'v.csv'),
    peopleOf(`mail,status\n${company}`, 'c.csv'),
  ]);
  assert(!directory.hasLeft('user_7', NOW));
});

test('who is here by one row and left by another is here, which is told', () => {
  const okta = peopleOf('login,status\nann@example.com,Deprovisioned\nANN@example.com,Active\n');
  const { directory, doubts } = joinedOf([VENDOR, okta]);
  assert.equal(directory.absence('user_1', NOW), undefined);
  assert.deepEqual(doubts, ['1 of the people are here by one row, and not by another']);
});

test('of several flags each counts: who is archived is disabled, though not suspended', () => {
  const google = peopleOf('primaryEmail,suspended,archived\nann@example.com,false,true\n', 'google.csv');
  assert.equal(joinedOf([VENDOR, google]).directory.absence('user_1', NOW), 'disabled');
});

test('that rows of one person differ is told beside people whose rows agree', () => {
  const vendor = peopleOf('id,email\nuser_1,ann@example.com\nuser_2,bob@example.com\n');
  const okta = peopleOf('login,status\nann@example.com,DEPROVISIONED\nbob@example.com,ACTIVE\n', 'okta.csv');
  const hr = peopleOf('work_email,status\nann@example.com,Active\nbob@example.com,Active\n', 'hr.csv');
  const { doubts } = joinedOf([vendor, okta, hr]);
  assert.deepEqual(doubts, ['1 of the people are here by one row, and not by another']);
});

test("that the vendor still has somebody as active doesn't say that they are here", () => {
  const vendor = peopleOf('id,email,status\nuser_1,ann@example.com,active\n');
  const { directory, doubts } = joinedOf([
    vendor,
    peopleOf('login,status\nann@example.com,Terminated\n', 'hr.csv'),
  ]);
  assert(directory.hasLeft('user_1', NOW));
  assert.deepEqual(doubts, []);
});

test("files are joined by ID too where both have the vendor's, and never by a number of two systems", () => {
  const own = peopleOf('id,left_on\nuser_2,2020-01-01\n', 'own.csv');
  assert(joinedOf([VENDOR, own]).directory.hasLeft('user_2', NOW));
  const numbered = peopleOf('id,email\n1,ann@example.com\n');
  const hr = peopleOf('id,work email,status\n1,other@example.com,Terminated\n', 'hr.csv');
  const { directory } = joinedOf([numbered, hr]);
  assert.deepEqual([directory.hasLeft('1', NOW), directory.size], [false, 1]);
});

test("a file of one's own with workspaces keeps its IDs beside the vendor's users", () => {
  const own = peopleOf(
    'id,kind,name,manager\nwrkspc_1,workspace,Production,\nuser_1,person,,Eve\n',
    'own.csv',
  );
  const { directory } = joinedOf([VENDOR, own]);
  assert.equal(directory.workspaceName('wrkspc_1'), 'Production');
  assert.deepEqual([directory.size, directory.creator('user_1')?.manager], [3, 'Eve']);
});

test('a day of leaving that is to come is one when it has come', () => {
  const hr = peopleOf('work email,status,termination date\nann@example.com,Active,2027-01-01\n', 'hr.csv');
  const { directory } = joinedOf([VENDOR, hr], undefined, NOW);
  const left = ['2026-12-31', '2027-01-01'].map(day => directory.hasLeft('user_1', Date.parse(day)));
  assert.deepEqual(left, [false, true]);
});

test('of a file of everyone, who is not in it has left, but for service accounts and users without a mail address', () => {
  const users = Array.from({ length: 8 }, (_, number) => `user_${number},user,u${number}@example.com\n`).join(
    '',
  );
  const vendor = peopleOf(
    `id,kind,mail\n${users}svac_1,service_account,bot@example.com\nuser_9,user,\n`,
    'v.csv',
  );
  const mails = (numbers: readonly number[]) =>
    peopleOf(`email\n${numbers.map(number => `U${number}@example.com\n`).join('')}`, 'everyone.csv');
  const everyone = mails([0, 1, 2, 3, 4, 5, 6]);
  const { directory } = joinedOf([vendor, everyone], everyone, NOW);
  const left = Array.from(directory.entries, ({ id }) => id).filter(id => directory.hasLeft(id, NOW));
  assert.deepEqual(left, ['user_7']);
  assert(directory.tellsLeft);
  const few = mails([0, 1, 2, 3, 4, 5]);
  assert.deepEqual(problemsIn(resultOf(joinSteps([vendor, few], few, NOW))), [
    'lacks 2 of 8 users by their mail address, more than a fifth: is everybody in it?',
  ]);
});

test('a manager is looked for among all people of the files, and the next one who is here and has a mail address is asked', () => {
  const staff = [
    'id,employee id,name,work email,status,manager',
    'x1,E1,Ann Miller,ann@example.com,Terminated,$',
    'x2,E2,"Stone, Bob",bob@example.com,Active,',
    '3,33,Cem West (E3),cem@example.com,Terminated,Bob Stone',
    'x4,4,Dan Twin,dan@example.com,Active,',
    'x5,E5,Dan Twin,dan.2@example.com,Active,',
    'x6,E6,Eve Round,eve@example.com,Suspended,x7',
    'x7,E7,Fay Round,fay@example.com,Terminated,E6',
    'x8,E8,Gus Moved,gus@example.com,Terminated,',
    'x8b,E8,Gus Moved,GUS@example.com,Active,',
    'x9,E9,No Mail,,Active,x2\n',
  ].join('\n');
  const numbered = 'id,mail\n2,two@example.com\n4,four@example.com\nuser_1,ann@example.com\n';
  const everyone = peopleOf(
    'email\nann@example.com\ntwo@example.com\nfour@example.com\nbob@example.com\n',
    'all',
  );
  const asked = (manager: string, everybody?: typeof everyone) => {
    const files = [peopleOf(numbered, 'v.csv'), peopleOf(staff.replace('$', manager), 'hr.csv')];
    const { directory } = joinedOf(everybody ? [...files, everybody] : files, everybody, NOW);
    return directory.recipient('user_1', NOW);
  };
  for (const [manager, expected] of [
    ['bob@example.com', 'bob@example.com'],
    ['BOB@Example.com', 'bob@example.com'],
    ['x2', 'bob@example.com'],
    ['E2', 'bob@example.com'],
    ['Bob Stone', 'bob@example.com'],
    ['"stone, bob"', 'bob@example.com'],
    ['"Stone, Bob (E2)"', 'bob@example.com'],
    ['Bobby <bob@example.com>', 'bob@example.com'],
    ['Bobby <mailto:bob@example.com>', 'bob@example.com'],
    ['mailto:BOB@example.com', 'bob@example.com'],
    ['Cem <cem@example.com>', 'bob@example.com'], // has left
    ['"Bob\nStone"', 'bob@example.com'],
    ['Dan Twin <boss@example.com>', 'boss@example.com'],
    ['Bob Stone (On Leave)', 'bob@example.com'],
    ['Cem West', 'bob@example.com'], // has left
    ['3', 'bob@example.com'],
    ['33', 'bob@example.com'],
    ['4', 'dan@example.com'], // in the same file, not the vendor's
    ['2', undefined], // the vendor's alone
    ['Dan Twin', undefined],
    ['Dan Twin (E5)', 'dan.2@example.com'],
    ['x6', undefined], // each other's managers
    ['Gus Moved', 'gus@example.com'], // by the one of two rows that is here
    ['No Mail', 'bob@example.com'],
    ['Some Boss', undefined],
    ['boss@example.com', 'boss@example.com'],
  ] as const)
    assert.equal(asked(manager), expected, manager);
  assert.deepEqual(
    ['boss@example.com', 'Bob Stone', 'bob@example.com', 'Eve Round'].map(manager =>
      asked(manager, everyone),
    ),
    [undefined, 'bob@example.com', 'bob@example.com', undefined],
  );
});

test('who has left by a word has left, though the file of everyone has them, which is told; a word of that file counts', () => {
  const okta = peopleOf('login,status\nann@example.com,Deprovisioned\nbob@example.com,\n', 'okta.csv');
  const read = (text: string) => {
    const everyone = peopleOf(text, 'all.csv');
    const { directory, doubts } = joinedOf([VENDOR, okta, everyone], everyone, NOW);
    return [directory.absence('user_1', NOW), ...doubts];
  };
  assert.deepEqual(read('login,saml_name_id\nann,ann@example.com\nbob,bob@example.com\n'), [
    'left',
    '1 of the people are here by one row, and not by another',
  ]);
  assert.deepEqual(read('email,status\nann@example.com,Active\nbob@example.com,\n'), [
    undefined,
    '1 of the people are here by one row, and not by another',
  ]);
  assert.deepEqual(read('email,status\nann@example.com,Terminated\nbob@example.com,\n'), ['left']);
});

test('who is here by a word has left where the file of everyone lacks them by each address, which is told', () => {
  const users = Array.from({ length: 9 }, (_, number) => `user_${number},u${number}@x.example\n`);
  const vendor = peopleOf(`id,email\n${users.join('')}`, 'v.csv');
  const okta = peopleOf('login,status\nu8@x.example,ACTIVE\n', 'okta.csv');
  const listed = Array.from({ length: 7 }, (_, number) => `u${number}@x.example,\n`);
  listed[0] = 'u0@x.example,u7@x.example\n';
  const everyone = peopleOf(`login,email\n${listed.join('')}`, 'all.csv');
  const { directory, doubts } = joinedOf([vendor, okta, everyone], everyone, NOW);
  assert.deepEqual(
    ['user_0', 'user_7', 'user_8'].map(id => directory.hasLeft(id, NOW)),
    [false, false, true],
  );
  assert.deepEqual(doubts, ['1 of the people are here by one row, and not by another']);
});

test('the address of a manager counts before a name, in whichever column or row it is', () => {
  const asked = (...texts: string[]) =>
    joinedOf(texts.map((text, index) => peopleOf(text, `${index}.csv`))).directory.recipient('user_1', NOW);
  const left = 'id,email,left_on,manager';
  assert.equal(asked(`${left},manager_id\nuser_1,a@x.example,2020-01-01,d@x.example,99\n`), 'd@x.example');
  assert.equal(
    asked(`${left}\nuser_1,a@x.example,2020-01-01,Sam\n`, 'login,manager\na@x.example,d@x.example\n'),
    'd@x.example',
  );
});

test('files without IDs of creators are refused with what is missing', () => {
  const read = resultOf(joinSteps([peopleOf('email\nann@example.com\n', 'google.csv')]));
  assert.deepEqual(read, {
    file: 'google.csv',
    problems: [
      "has no IDs of creators, such as keys have: give the vendor's list of its users too, with ID and mail address",
    ],
  });
});
