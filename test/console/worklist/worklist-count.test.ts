import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { passing } from '../../../src/admin/find/local-filter.ts';
import { Breaches } from '../../../src/admin/report/breaches.ts';
import { parsePolicies } from '../../../src/admin/report/parse-policies.ts';
import { breachesByPerson } from '../../../src/admin/report/worklist.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { teamDigest } from '../../../src/console/people/lookup.ts';
import { localFiltersOf } from '../../../src/console/walk/local-filter.ts';
import { ANY_POLICY } from '../../../src/console/walk/query.ts';
import { Desk } from '../../../src/console/worklist/own-files.ts';
import { WorklistCount } from '../../../src/console/worklist/worklist-count.ts';
import { recordOf } from '../../../src/service/roster/api-key.ts';
import type { CreatorId } from '../../../src/shared/record/identifier.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey, startSeededService } from '../../support/seeded-service.ts';
import { until } from '../../support/until.ts';

const keys = Array.from({ length: 3_500 }, (_, number) =>
  numberedKey(number, {
    name: `Key ${number % 3_000}`,
    ...(number % 7 === 0 && { createdBy: { id: 'bot' as CreatorId, type: 'service_account' } }),
  }),
);
const records = keys.map(each => recordOf(each) as ApiKeyRecord);
const seeded = await startSeededService(suiteScope(), keys);
/** With exceptions. */
const file = {
  policies: [
    {
      name: 'old',
      rule: 'max-age',
      days: 100,
      exceptions: [{ key: 'k3001', reason: 'a demo', until: '9000-01-01' }],
    },
    {
      name: 'named',
      rule: 'name-pattern',
      patterns: ['Key ?', 'Key 1*'],
      exceptions: [{ key: 'k20', reason: 'a demo', until: '9000-01-01' }],
    },
    { name: 'bots', rule: 'creators-allowed', creators: ['user_0', 'user_1'] },
  ],
};
const parsed = parsePolicies(file);
const policiesOf = () => ('policies' in parsed ? parsed.policies : []);
/** The same by the code of the command, which keeps each breach. */
function expectedBreaches(at: Date): Breaches {
  const breaches = new Breaches(policiesOf(), at);
  breaches.add(records);
  return breaches;
}
const source = (options: { fetch?: typeof fetch } = {}) => ({
  retryingClient: seeded.client(options),
});

describe('a count', () => {
  test('has of each policy, person and key what the command has', async () => {
    const count = new WorklistCount(source(), policiesOf);
    await count.walk.run();
    const breaches = expectedBreaches(count.now);
    assert.equal(count.total, keys.length);
    assert.deepEqual(
      policiesOf().map(policy => count.breaches.count(policy)),
      policiesOf().map(policy => breaches.count(policy)),
    );
    assert.deepEqual(
      count.people(Number.POSITIVE_INFINITY).first,
      breachesByPerson(breaches).map(({ creator, keys }) => ({ creator, keys })),
    );
    const expected = [...breaches.all()];
    const broken = records.map(key => ({ key, policies: count.breaches.brokenBy(key) }));
    assert.deepEqual(
      broken.filter(({ policies }) => policies.length > 0),
      expected,
    );
    const numbers = new Set(expected.map(({ policies }) => policies.length));
    assert.equal(numbers.size, 3, 'no key breaks one, two and three');
  });

  test('tells of people after each page what it would tell if the keys read so far were all', async () => {
    let requests = 0;
    const stopping: typeof fetch = (...request) => {
      requests += 1;
      if (requests % 2 === 0) count.walk.stop();
      return fetch(...request);
    };
    const count = new WorklistCount(source({ fetch: stopping }), policiesOf);
    while (count.total === undefined) {
      await count.walk.run();
      const read = records.slice(0, count.walk.read);
      const broken = read
        .filter(key => count.breaches.brokenBy(key).length > 0)
        .map(key => key.created_by.id);
      const { keys: all, total } = count.people(5);
      assert.deepEqual([all, total], [broken.length, new Set(broken).size]);
    }
    assert(requests > 4);
  });

  test('opens the keys of a policy by its name, whatever that is, and those of all', async () => {
    const desk = new Desk(source());
    const policies = [{ ...file.policies[0], name: 'any' }, ...file.policies];
    await desk.open([new File([JSON.stringify({ policies })], 'policies.json')]);
    await until('all keys are counted', () => desk.count?.total !== undefined);
    const of = (name: string) => passing(records, [desk.breaks(name)]).length;
    const { breaches } = desk.count as WorklistCount;
    const [any] = breaches.policies;
    assert(any && of('any') === breaches.count(any));
    assert.equal(of(ANY_POLICY), desk.count?.people(0).keys);
    assert(of(ANY_POLICY) > of('any'));
  });
});

test('policies of leavers need a directory with leaving dates, and no other one takes its place', async () => {
  const desk = new Desk(source());
  const policies = JSON.stringify({ policies: [{ name: 'a', rule: 'creators-left' }] });
  const open = (text: string, name: string) => desk.open([new File([text], name)]);
  await open(policies, 'policies.json');
  assert.match(
    String(desk.problems),
    /^policies\.json: policies\[0\]\.creators: is missing: .* tells who has left$/,
  );
  await open('id,left_on\nuser_1,2020-01-01\n', 'people.csv');
  await open(policies, 'policies.json');
  assert.deepEqual([desk.problems, desk.policiesFile], [[], 'policies.json']);
  await open('id\nuser_1\n', 'people.csv');
  assert.match(String(desk.problems), /^policies\.json: policies\[0\]\.creators: is missing/);
  assert.equal(desk.directory.tellsLeft, true);
  desk.forgetDirectory();
  assert.equal(desk.policiesFile, null);
  desk.end();
});

test('files of people are joined, those without IDs once the others are there, and a file of the same name takes the place', async () => {
  const desk = new Desk(source());
  const file = (name: string, text: string) => new File([text], name);
  await desk.open([file('hr.csv', 'login,status\na@example.com,Terminated\nb@example.com,Suspended\n')]);
  assert.match(String(desk.problems), /^hr\.csv: has no IDs of creators/);
  const users = 'id,email\nuser_0,a@example.com\nuser_1,b@example.com\n';
  await desk.open([file('broken.csv', 'id\n'), file('users.csv', users)]);
  assert.deepEqual(desk.problems, ['broken.csv: has no entry']);
  await until('all keys are counted', () => desk.count?.total !== undefined);
  assert.deepEqual(desk.coverage, { creators: 3, known: 2, left: 1, disabled: 1 });
  assert.deepEqual(desk.gave, [
    'hr.csv: 2 row(s), 2 joined, 0 not; read: login, status',
    'users.csv: 2 row(s), 2 joined, 0 not; read: id, email',
  ]);
  const keysOf = (creator_state: string) =>
    passing(records, localFiltersOf({ creator_state }, desk)).map(({ created_by }) => created_by.id);
  assert.deepEqual([...new Set(keysOf('disabled'))], ['user_1']);
  assert.deepEqual([...new Set(keysOf('unknown'))], ['bot']);
  await desk.open([file('hr.csv', 'login,status\na@example.com,Active\n')]);
  assert.equal(desk.directory.tellsLeft, false);
  desk.end();
});

test('a list by what breaks a policy says which file it was counted with, and asks for it where it is not open', async () => {
  const leavers = new File(['id,left_on\nuser_1,2020-01-01\n'], 'people.csv');
  const policies = new File(['{"policies":[{"name":"older-than-a-year","rule":"expired"}]}'], 'own.json');
  const deskWith = async (...files: File[]) => {
    const desk = new Desk(source());
    await desk.open(files);
    desk.countAgain();
    await until('all keys are counted', () => desk.count?.total !== undefined);
    return desk;
  };
  const [plain, withPeople, withPolicies] = [
    await deskWith(),
    await deskWith(leavers),
    await deskWith(policies),
  ];
  assert.deepEqual(plain.breaking(ANY_POLICY), { breaks: '*' });
  assert.deepEqual(withPeople.breaking('older-than-a-year'), { breaks: 'older-than-a-year' });
  for (const [desk, policy, message] of [
    [withPeople, ANY_POLICY, NEEDS_DIRECTORY],
    [withPeople, 'someone-who-left', NEEDS_DIRECTORY],
    [withPolicies, ANY_POLICY, NEEDS_POLICIES],
    [withPolicies, 'older-than-a-year', NEEDS_POLICIES],
  ] as const) {
    const link = desk.breaking(policy);
    assert.equal(localFiltersOf(link, desk).length, 1);
    assert.throws(() => localFiltersOf(link, plain), { message });
  }
  assert.throws(() => localFiltersOf({ breaks: 'someone-who-left' }, plain), { message: NEEDS_DIRECTORY });
  for (const desk of [plain, withPeople, withPolicies]) desk.end();
});
const NEEDS_DIRECTORY = 'breaks: needs a directory that tells who left: drop its file into this page';
const NEEDS_POLICIES = 'breaks: needs the policies file that has it: drop that file into this page';

test('a link to a team is to no other team of another directory', async () => {
  const desk = new Desk(source());
  const open = (...teams: string[]) =>
    desk.open([new File([`id,team\n${teams.map((team, at) => `user_${at},${team}\n`).join('')}`], 'p.csv')]);
  const link = { team: teamDigest('Beta') };
  await open('Alpha', 'beta');
  const creators = passing(records, localFiltersOf(link, desk)).map(({ created_by }) => created_by.id);
  assert.deepEqual([...new Set(creators)], ['user_1']);
  await open('Alpha', 'Gamma');
  for (const team of [link.team, '1'])
    assert.throws(() => localFiltersOf({ team }, desk), {
      message: 'team: not in this directory: drop a file that has it',
    });
  desk.end();
});

test('nobody can be filtered by a directory of other IDs than the creators have', async () => {
  const desk = new Desk(source());
  const open = async (id: string) => {
    await desk.open([new File([`id,team,left_on\n${id},a,2020-01-01\n`], 'people.csv')]);
    await until('all keys are counted', () => desk.count?.total !== undefined);
    return localFiltersOf({ creator_state: 'left', team: teamDigest('a') }, desk).length;
  };
  assert.equal(await open('user_1'), 2);
  await assert.rejects(open('okta_1'), { message: 'creator_state: the directory knows 0 of 3 creators' });
  desk.end();
});
