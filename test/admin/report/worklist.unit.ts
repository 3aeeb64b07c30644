import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Directory } from '../../../src/admin/directory/directory.ts';
import { Breaches } from '../../../src/admin/report/breaches.ts';
import { defaultPolicies } from '../../../src/admin/report/default-policies.ts';
import { parsePolicies } from '../../../src/admin/report/parse-policies.ts';
import type { Policy } from '../../../src/admin/report/policies.ts';
import { ReportBuilder } from '../../../src/admin/report/report-builder.ts';
import { figureTexts, sectionsOf } from '../../../src/admin/report/sections.ts';
import { breachesByPerson, policyCounts, revokeCsv } from '../../../src/admin/report/worklist.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import type { ListedKey } from '../../../src/client/listed-key.ts';
import { exampleRecord } from '../../support/example-record.ts';

const now = new Date('2026-11-26T00:00:00Z');
const directory = new Directory(
  [
    { id: 'ann', name: 'Ann Miller', leftOn: Date.parse('2026-11-26T00:00:00Z') },
    { id: 'bob', leftOn: Date.parse('2026-11-27T00:00:00Z') },
  ],
  true,
);

function keyOf(id: string, creator: string, parts: object = {}): ApiKeyRecord {
  const created_by = { id: creator, type: 'user' };
  return {
    ...exampleRecord,
    id,
    name: `name of ${id}`,
    workspace_id: null,
    ...parts,
    created_by,
  } as ApiKeyRecord;
}

function policiesOf(...policies: object[]): readonly Policy[] {
  const named = policies.map((policy, index) => ({ name: `p${index}`, ...policy }));
  const parsed = parsePolicies({ policies: named }, directory);
  assert('policies' in parsed, JSON.stringify(parsed));
  return parsed.policies;
}

function breachesIn(keys: readonly ApiKeyRecord[], policies: readonly Policy[]): Breaches {
  const breaches = new Breaches(policies, now);
  breaches.add(keys);
  return breaches;
}

const idsOf = (breaches: Breaches, policy: Policy) => Array.from(breaches.of(policy), ({ id }) => id);
const exception = (key: string, until = '2026-11-27') => ({ key, reason: 'a demo', until });

test('a key with an exception breaks nothing until its day, and one that is over or excuses nothing is told', () => {
  const [only] = policiesOf({
    rule: 'no-default-workspace',
    exceptions: [exception('k1'), exception('k2', '2026-11-26'), exception('k3'), exception('gone')],
  }) as [Policy];
  const keys = [
    keyOf('k1', 'ann'),
    keyOf('k2', 'ann'),
    keyOf('k3', 'ann', { status: 'archived' }),
    keyOf('k4', 'bob'),
  ];
  const breaches = breachesIn(keys, [only]);
  assert.deepEqual(
    [idsOf(breaches, only), breaches.count(only), breaches.excused(only)],
    [['k2', 'k4'], 2, 1],
  );
  assert.deepEqual(breaches.remarks(only), [
    'the exception of k2 is over since 2026-11-26',
    'the exception of k3 excuses nothing: remove it',
    'the exception of gone excuses nothing: remove it',
  ]);
});

test('a policy that means none of the keys is told: a mistyped ID must not be an all-clear', () => {
  const keys = [keyOf('k1', 'ann'), keyOf('k2', 'eve', { workspace_id: 'w1' })];
  const remarksOf = (policy: object) => {
    const [only] = policiesOf(policy) as [Policy];
    return breachesIn(keys, [only]).remarks(only);
  };
  const select = (selection: object) => remarksOf({ rule: 'max-age', days: 1, keys: selection });
  const unknown = 'it knows none of the creators: is the list or the directory the right one?';
  assert.deepEqual(select({ workspace_id: ['default', 'w1', null] }), [
    'no key is in default, which its keys name',
  ]);
  assert.deepEqual(select({ status: ['archived'] }), ['its keys select none']);
  assert.deepEqual(select({ creator_type: ['user'] }), []);
  assert.deepEqual(remarksOf({ rule: 'creators-left', creators: ['user_9'] }), [unknown]);
  assert.deepEqual(remarksOf({ rule: 'creators-left', creators: ['user_9', 'eve'] }), []);
  assert.deepEqual(remarksOf({ rule: 'creators-left' }), []);
});

test('a directory tells who has left, by the day and not before', () => {
  const keys = [
    keyOf('k1', 'ann'),
    keyOf('k2', 'bob'),
    keyOf('k3', 'eve'),
    keyOf('k4', 'ann', { status: 'archived' }),
  ];
  const [only] = policiesOf({ rule: 'creators-left' }) as [Policy];
  assert.deepEqual(idsOf(breachesIn(keys, [only]), only), ['k1']);
  const builder = new ReportBuilder(now);
  for (const key of keys) builder.add(key);
  const { directory: coverage, left, not_in_directory } = builder.report(directory);
  assert.deepEqual(
    [coverage, left, not_in_directory],
    [
      { creators: 3, known: 2, left: 1, disabled: 0 },
      { creators: 1, keys: 2, active: 1 },
      { keys: 1, active: 1 },
    ],
  );
  assert.equal('left' in builder.report(), false);
  assert.equal('left' in builder.report(new Directory([{ id: 'ann' }])), false, 'it does not tell');
  assert.equal('left' in builder.report(new Directory([{ id: 'other' }], true)), false, 'nor of those');
  assert.deepEqual(builder.people(directory).left, left);
});

test('a report has the keys of each team, whatever its case, where the directory has teams', () => {
  const builder = new ReportBuilder(now);
  for (const [id, creator, status] of [
    ['k1', 'ann', 'active'],
    ['k2', 'bob', 'archived'],
    ['k3', 'eve', 'active'],
    ['k4', 'joe', 'active'],
    ['k5', 'joe', 'active'],
  ] as const)
    builder.add(keyOf(id, creator, { status }));
  const teams = new Directory([
    { id: 'ann', team: 'Data' },
    { id: 'bob', team: 'data' },
    { id: 'joe', team: 'Search' },
    { id: 'nobody', team: 'Other' },
    { id: 'eve' },
  ]);
  assert.deepEqual(builder.teams(teams), [
    { team: 'Search', keys: 2, active: 2 },
    { team: 'Data', keys: 2, active: 1 },
  ]);
  const sections = sectionsOf(builder.report(teams), teams);
  assert.deepEqual(sections.find(({ title }) => title.startsWith('By team'))?.groups, [
    { label: 'Search', keys: 2, active: 2, activeText: '2' },
    { label: 'Data', keys: 2, active: 1, activeText: '1' },
  ]);
  const titles = (directory?: Directory) =>
    sectionsOf(builder.report(directory), directory).map(({ title }) => title.split(',')[0]);
  assert.deepEqual(titles(teams), ['By status', 'By age', 'By workspace', 'By team', 'By creator']);
  for (const without of [undefined, new Directory([{ id: 'ann' }])])
    assert(!titles(without).includes('By team'));
});

test('without policies there are sensible ones, for what the keys and a directory tell', () => {
  const namesOf = (...given: Parameters<typeof defaultPolicies>) =>
    defaultPolicies(...given).map(({ name }) => name);
  for (const tellsNot of [undefined, new Directory([{ id: 'ann' }])])
    assert.deepEqual(namesOf({}, tellsNot), ['older-than-a-year']);
  assert.deepEqual(namesOf({ expires_at: null, last_used_at: null }, directory), [
    'older-than-a-year',
    'unused-for-90-days',
    'past-its-expiry',
    'someone-who-left',
  ]);
});

test('a key that breaks several policies is one key of its person and of the list to revoke', () => {
  const policies = policiesOf(
    { rule: 'no-default-workspace' },
    { rule: 'max-age', days: 1, level: 'warn' },
    { rule: 'expires-within', days: 1 },
  );
  const keys = [
    keyOf('k1', 'ann'),
    keyOf('k2', 'ann', { workspace_id: 'w1' }),
    keyOf('k3', 'bob'),
    keyOf('k4', 'eve', { status: 'inactive' }),
  ];
  const breaches = breachesIn(keys, policies);
  const people = breachesByPerson(breaches).map(each => [each.creator.id, each.keys, policyCounts(each)]);
  assert.deepEqual(people, [
    ['ann', 2, '1 of p0, 2 of p1'],
    ['bob', 1, '1 of p0, 1 of p1'],
  ]);
  const [heading, ...rows] = [...revokeCsv(breaches)]
    .join('')
    .trimEnd()
    .split('\n')
    .filter(line => !line.startsWith('b'));
  assert.match(String(heading), /^id,name,.*,level,policies$/);
  assert.deepEqual(
    Array.from(breaches.all(), ({ key }) => key.id),
    ['k1', 'k2', 'k3'],
  );
  assert(rows.at(-1)?.endsWith(',fail,p0 p1') && rows.at(-2)?.endsWith(',warn,p1'), rows.join('\n'));
});

test('of keys that tell no status no group says how many are active, and of some at least how many', () => {
  const active = (statuses: readonly (ListedKey['status'] | undefined)[]) => {
    const builder = new ReportBuilder(now);
    for (const [at, status] of statuses.entries())
      builder.add({ ...keyOf(`k${at}`, 'ann'), status } as ListedKey);
    const report = builder.report();
    const creators = sectionsOf(report, undefined).find(({ title }) => title.startsWith('By creator'));
    return [figureTexts(report).active, creators?.groups[0]?.activeText];
  };
  assert.deepEqual(active([undefined, undefined]), ['?', '?']);
  assert.deepEqual(active(['active', undefined]), ['at least 1', 'at least 1']);
  assert.deepEqual(active(['active', 'archived']), ['1', '1']);
});
