import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { passing } from '../../../src/admin/find/local-filter.ts';
import { ageOf } from '../../../src/admin/report/age.ts';
import { Breaches } from '../../../src/admin/report/breaches.ts';
import { parsePolicies } from '../../../src/admin/report/parse-policies.ts';
import { breachesByPerson } from '../../../src/admin/report/worklist.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { ANY_POLICY, type RosterQuery } from '../../../src/console/walk/query.ts';
import { Desk } from '../../../src/console/worklist/desk.ts';
import { WorklistCount } from '../../../src/console/worklist/worklist-count.ts';
import { type ApiKey, recordOf } from '../../../src/service/roster/api-key.ts';
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
const seeded = await startSeededService(suiteScope(), keys);
/** About keys, about groups of them, and with an exception of each kind. */
const file = {
  policies: [
    {
      name: 'old',
      rule: 'max-age',
      days: 100,
      exceptions: [{ key: 'k3001', reason: 'a demo', until: '9000-01-01' }],
    },
    {
      name: 'twice',
      rule: 'unique-names',
      exceptions: [{ key: 'k1', reason: 'a demo', until: '9000-01-01' }],
    },
    { name: 'many', rule: 'max-keys-of-a-creator', max: 900 },
  ],
};
const parsed = parsePolicies(file, { readFile: String });
const policiesOf = () => ('policies' in parsed ? parsed.policies : []);
/** The same by the code of the command, which keeps each breach. */
function expectedBreaches(at: Date): Breaches {
  const breaches = new Breaches(policiesOf(), at);
  breaches.add(
    keys
      .map(each => recordOf(each) as ApiKeyRecord)
      .map(key => ({ key, ageMs: ageOf(key.created_at, at) ?? 0 })),
  );
  return breaches;
}
const source = (options: { fetch?: typeof fetch; retries?: number } = {}) => ({
  retryingClient: seeded.client(options),
});

async function complete(): Promise<WorklistCount> {
  const count = new WorklistCount(source(), policiesOf);
  await count.walk.run();
  return count;
}

describe('a count', () => {
  test('that failed or was stopped goes on where it was, and ends with the figures of one that did not', async () => {
    const expected = (await complete()).figures.snapshot();
    const events = fc.array(fc.constantFrom('answer', 'lost', 'busy', 'stop'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(events, async ([...left]) => {
        const count = new WorklistCount(
          source({
            retries: 0,
            fetch: async (...request) => {
              const next = left.shift();
              if (next === 'lost') throw new TypeError('fetch failed');
              if (next === 'busy') return new Response(null, { status: 503 });
              if (next === 'stop') count.walk.stop();
              return fetch(...request);
            },
          }),
          policiesOf,
        );
        while (count.total === undefined) await count.walk.run();
        assert.equal(count.total, keys.length);
        assert.deepEqual(count.figures.snapshot(), expected);
        const breaches = expectedBreaches(count.now);
        assert.deepEqual(
          policiesOf().map(policy => count.breaches.count(policy)),
          policiesOf().map(policy => breaches.count(policy)),
        );
        assert.deepEqual(
          count.people(Number.POSITIVE_INFINITY).first,
          breachesByPerson(breaches).map(({ creator, keys }) => ({ creator, keys })),
        );
      }),
      { numRuns: 6 },
    );
  });

  test('tells of each key which policies it breaks, by the groups of all keys', async () => {
    const count = await complete();
    const broken = keys
      .map(key => recordOf(key) as ApiKeyRecord)
      .map(key => ({ key, policies: count.brokenBy(key) }));
    const expected = Array.from(expectedBreaches(count.now).all()).flat();
    assert.deepEqual(
      broken.filter(({ policies }) => policies.length > 0),
      expected,
    );
    assert(
      new Set(expected.map(({ policies }) => policies.length)).size === 3,
      'no key breaks one, two and three',
    );
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
      const read = keys.slice(0, count.walk.read).map(key => recordOf(key) as ApiKeyRecord);
      const broken = read.filter(key => count.brokenBy(key).length > 0).map(key => key.created_by.id);
      const { keys: all, total } = count.people(5);
      assert.deepEqual([all, total], [broken.length, new Set(broken).size]);
    }
    assert(requests > 4);
  });

  test('opens the keys of a policy by its name, whatever that is, and those of all', async () => {
    const desk = new Desk(source());
    const policies = [{ ...file.policies[0], name: 'any' }, ...file.policies];
    await desk.open(new File([JSON.stringify({ policies })], 'policies.json'));
    await until('all keys are counted', () => desk.count?.total !== undefined);
    const of = (name: string) => passing(keys.map(recordOf) as ApiKeyRecord[], [desk.breaks(name)]).length;
    const { breaches } = desk.count as WorklistCount;
    const [any] = breaches.policies;
    assert(any && of('any') === breaches.count(any));
    assert.equal(of(ANY_POLICY), desk.count?.people(0).keys);
    assert(of(ANY_POLICY) > of('any'));
  });

  test('takes nothing of a page with a created_at that is no timestamp, and names the key', async () => {
    let isBroken = true;
    const count = new WorklistCount(
      source({
        fetch: async (...request) => {
          const answer = await fetch(...request);
          const body = await answer.text();
          const isSecond = String(request[0]).includes('after_id');
          return new Response(isBroken && isSecond ? breakLast(body) : body, answer);
        },
      }),
      policiesOf,
    );
    await count.walk.run();
    assert.deepEqual(
      [count.walk.state.kind, count.walk.read, count.figures.snapshot().keys],
      ['failed', 1_000, 1_000],
    );
    const { error } = count.walk.state as { error: Error };
    assert.equal(error.message, 'The service lists k1999 with a created_at that is not a timestamp.');
    isBroken = false;
    await count.walk.run();
    assert.deepEqual([count.total, count.figures.snapshot().keys], [3_500, 3_500]);
  });
});

function breakLast(body: string): string {
  const page = JSON.parse(body);
  page.data.at(-1).created_at = 'yesterday';
  return JSON.stringify(page);
}

/** Those that the list shows. */
const queries: readonly RosterQuery[] = [
  {},
  { workspace_id: 'wrkspc_1' },
  { workspace_id: 'wrkspc_none' },
  { created_by_user_id: 'user_1' },
  { default_workspace: 'true' },
  { creator_type: 'service_account' },
  { name: 'Key 17' },
  { name: 'Key 2999' },
].flatMap(query => [query, { ...query, status: 'active' }, { ...query, status: 'archived' }]);

describe('the total of a list', () => {
  test('is that of the complete count, with any one filter beside the status', async () => {
    const count = await complete();
    for (const query of [
      ...queries,
      { created_by_user_id: 'bot', creator_type: 'service_account' },
      { created_by_user_id: 'user_1', creator_type: 'service_account', status: 'active' },
    ])
      assert.deepEqual(count.totalOf(query), keys.filter(hasAll(query)).length, JSON.stringify(query));
    assert.equal(count.totalOf({ limit: '50', after_id: 'k9', status: 'inactive' }), 1_167);
  });

  test('is not known before the count is complete, or for filters that it has not counted together', async () => {
    const count = new WorklistCount(source(), policiesOf);
    assert.equal(count.totalOf({}), undefined);
    await count.walk.run();
    for (const query of [
      { created_before: '2024-05-06' },
      { created_from: '2024-05-01', status: 'active' },
      { workspace_id: 'wrkspc_1', created_by_user_id: 'user_1' },
    ])
      assert.equal(count.totalOf(query), undefined, JSON.stringify(query));
  });
});

test('the IDs of workspaces and creators are known as far as keys were read', async () => {
  const count = new WorklistCount(source(), policiesOf);
  assert.deepEqual(count.figures.ids(), { workspaces: [], creators: [] });
  await count.walk.run();
  const { workspaces, creators } = count.figures.ids();
  assert.deepEqual([...workspaces].sort(), ['wrkspc_0', 'wrkspc_1', 'wrkspc_2', 'wrkspc_3']);
  assert.deepEqual([...creators].sort(), ['bot', 'user_0', 'user_1']);
});

/** The model of the service's filters and of the console's. */
function hasAll(query: RosterQuery): (key: ApiKey) => boolean {
  const { status, workspace_id, created_by_user_id, default_workspace, creator_type, name } = query;
  return key =>
    (status === undefined || key.status === status) &&
    (workspace_id === undefined || key.workspaceId === workspace_id) &&
    (created_by_user_id === undefined || key.createdBy.id === created_by_user_id) &&
    (default_workspace === undefined || key.workspaceId === null) &&
    (creator_type === undefined || key.createdBy.type === creator_type) &&
    (name === undefined || key.name === name);
}
