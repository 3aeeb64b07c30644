import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS } from '../../../src/admin/report/age.ts';
import { Breaches } from '../../../src/admin/report/breaches.ts';
import { ownPolicies, parsePolicies } from '../../../src/admin/report/parse-policies.ts';
import type { Policy } from '../../../src/admin/report/policies.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { exampleRecord } from '../../support/example-record.ts';

const record = exampleRecord as ApiKeyRecord;

const NOW = new Date();
const before = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString();

const creators = ['ann', 'bob'];
const names = ['prod-a', 'prod-b', 'x', '', '\ud800', '\ud801', '__proto__'];
const rosters = fc
  .array(
    fc.record({
      name: fc.constantFrom(...names),
      status: fc.constantFrom('active', 'active', 'inactive', 'archived', 'suspended'),
      workspace_id: fc.constantFrom(null, 'w1', 'w2'),
      created_by: fc.record(
        {
          id: fc.constantFrom(...creators),
          type: fc.constantFrom('user', 'service_account', 'robot'),
        },
        { noNullPrototype: true },
      ),
      days: fc.nat(5),
    }),
    { maxLength: 30 },
  )
  .map(all =>
    all.map(
      ({ days, ...fields }, index) =>
        ({ ...record, ...fields, id: `k${index}`, created_at: before(days) }) as ApiKeyRecord,
    ),
  );

const some = <T>(...values: T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 }), { nil: undefined });
const selection = fc.record({
  status: some('active', 'inactive', 'archived'),
  workspace_id: some(null, 'w1'),
  creator_type: some('user', 'service_account'),
});
type Selected = typeof selection extends fc.Arbitrary<infer T> ? T : never;

/** The model: what each rule is over all the keys that are selected, as a filter over the array. */
type Model = (keys: readonly ApiKeyRecord[]) => readonly ApiKeyRecord[];
const where =
  (breaks: (key: ApiKeyRecord) => boolean): Model =>
  keys =>
    keys.filter(breaks);
const rules: readonly fc.Arbitrary<readonly [rule: object, model: Model]>[] = [
  fc.nat(4).map(days => [{ rule: 'max-age', days }, where(({ created_at }) => created_at < before(days))]),
  fc.constant([{ rule: 'no-default-workspace' }, where(key => key.workspace_id === null)]),
  fc.constant([{ rule: 'creators-allowed', creators: ['ann'] }, where(key => key.created_by.id !== 'ann')]),
  fc.constant([{ rule: 'creators-left', creators: ['ann'] }, where(key => key.created_by.id === 'ann')]),
  fc.constant([
    { rule: 'name-pattern', patterns: ['prod-*', '?'] },
    where(key => !/^(prod-.*|.)$/u.test(key.name)),
  ]),
];

const isIn = ({ status = ['active'], workspace_id, creator_type }: Selected, key: ApiKeyRecord) =>
  (status as string[]).includes(key.status) &&
  (workspace_id?.includes(key.workspace_id) ?? true) &&
  ((creator_type as string[] | undefined)?.includes(key.created_by.type) ?? true);

test('the breaches are those of a filter over all keys, for every rule, in whatever order and pages they come', () => {
  const policies = fc.array(fc.tuple(fc.oneof(...rules), fc.option(selection, { nil: {} as Selected })), {
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(rosters, policies, fc.integer({ min: 1, max: 40 }), (roster, all, pageSize) => {
      const json = all.map(([[rule], keys], index) => ({ ...rule, name: `p${index}`, keys }));
      const parsed = parsePolicies(JSON.parse(JSON.stringify({ policies: json })));
      assert('policies' in parsed, JSON.stringify(parsed));
      const breaches = new Breaches(parsed.policies, NOW);
      for (let at = 0; at < roster.length; at += pageSize) breaches.add(roster.slice(at, at + pageSize));
      const expected = all.map(([[, model], keys]) => model(roster.filter(key => isIn(keys, key))));
      const found = parsed.policies.map(policy => [...breaches.of(policy)]);
      assert.deepEqual(found, expected);
      assert.deepEqual(
        parsed.policies.map(policy => breaches.count(policy)),
        expected.map(({ length }) => length),
      );
    }),
    { numRuns: 200 },
  );
});

test('many breaches come back unchanged, and at most as many as are asked for', () => {
  const [old, unplaced] = ownPolicies([
    { name: 'old', rule: 'max-age', days: 30 },
    { name: 'unplaced', rule: 'no-default-workspace' },
  ]) as [Policy, Policy];
  const breaches = new Breaches([old, unplaced], NOW);
  const keys = Array.from({ length: 1_600 }, (_, number) => ({
    ...record,
    id: `k${number}`,
    name: '한글 \u2028 "\n',
    workspace_id: null,
    created_at: before(number % 37),
    team: { is: ['declared'] },
  }));
  breaches.add(keys);
  const ofUnplaced = [...breaches.of(unplaced)];
  assert.deepEqual(ofUnplaced, keys);
  assert.deepEqual([...breaches.of(unplaced, 700)], ofUnplaced.slice(0, 700));
  assert.deepEqual([breaches.count(old), breaches.total('fail'), breaches.total('warn')], [258, 1_858, 0]);
});
