import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConformanceOptions, conformanceChecks } from '../../../src/service/conformance/conformance.ts';
import { type InMemoryStore, inMemoryStore, type Patch } from '../../support/in-memory-store.ts';

/** The checks of the in-memory store with these texts of its source replaced. */
async function checksOf(...patches: Patch[]) {
  const InMemoryStore = await inMemoryStore(...patches);
  return conformanceChecks({
    open: content => ({ roster: new InMemoryStore(content) }),
    change: ({ roster }, organizationId, record) => roster.put(organizationId, record),
  });
}

describe('the in-memory store of examples/', async () => {
  for (const { name, run } of await checksOf()) test(name, run);
});

const HAS_MORE = 'hasMore is exact, also when a filter leaves exactly as many keys as the limit';
const AT_ONCE = 'requests under way at once are each answered by their own members';
const AGAIN =
  'a page that is asked for again has what was changed meanwhile, so a walk misses and repeats no key';

const failureOf = async (check: string, checks: Awaited<ReturnType<typeof checksOf>>) =>
  checks
    .find(({ name }) => name === check)
    ?.run()
    .then(
      () => assert.fail('the check passed'),
      error => error,
    );

describe('a check that fails tells what is wrong, with the keys, the request, what was expected and what came', () => {
  test('of the smallest request, and the seed', async () => {
    const { message } = await failureOf(
      HAS_MORE,
      await checksOf(['rest.length > limit', 'rest.length >= limit']),
    );
    assert.match(
      message,
      /^hasMore must be false: no key is left\n\norg_1 has 1 API keys:\n {2}key_.*\nlistApiKeys\('org_1', \{ limit: 1, cursor: null, filter: \{\} \}\)\nexpected: key_\w+; hasMore: false\ncame: {5}key_\w+; hasMore: true\nseed: 1$/,
    );
  });

  test('and of the request that was made at once', async () => {
    const kept =
      'this.id = organizationId; await new Promise(setImmediate); organizationId = this.id;\nconst all =';
    const { message } = await failureOf(AT_ONCE, await checksOf(['const all =', kept]));
    assert.match(
      message,
      /\nlistApiKeys\(.*\nat once: {2}listApiKeys\(.*\nexpected: .*\ncame: .*\nlikely cause: a member/,
    );
  });

  test('where change throws', async () => {
    const InMemoryStore = await inMemoryStore();
    const thrown = new Error('read-only');
    const change = () => {
      throw thrown;
    };
    const checks = conformanceChecks({ open: content => ({ roster: new InMemoryStore(content) }), change });
    const { message, cause } = await failureOf(AGAIN, checks);
    assert.match(message, /^change failed: Error: read-only\nlikely cause: /);
    assert.equal(cause, thrown);
  });
});

describe('the decimals of times', () => {
  for (const [timeDecimals, digits] of [
    [0, /\.000000Z$/],
    [3, /\.\d{3}000Z$/],
  ] as const)
    test(`are ${timeDecimals} where the option says so: a store that cuts others passes`, async () => {
      const cut = `record = { ...record, created_at: record.created_at.slice(0, ${20 + timeDecimals}).padEnd(26, '0') + 'Z' };\nthis.#rosters.set(`;
      const InMemoryStore = await inMemoryStore(['this.#rosters.set(', cut]);
      const open = (content: ReadonlyMap<string, readonly { readonly created_at: string }[]>) => {
        for (const { created_at } of [...content.values()].flat()) assert.match(created_at, digits);
        return { roster: new InMemoryStore(content as never) };
      };
      const change: ConformanceOptions<{ roster: InMemoryStore }>['change'] = ({ roster }, ...put) =>
        roster.put(...put);
      for (const { run } of conformanceChecks({ open, change, timeDecimals })) await run();
    });
});

test('another seed draws other keys, and the same one the same', async () => {
  const drawn = async (seed: number) => {
    const contents: unknown[] = [];
    const open = (content: unknown) => {
      contents.push(content);
      throw new Error('not opened');
    };
    for (const { run } of conformanceChecks({ open, seed })) await run().catch(() => {});
    return contents;
  };
  assert.deepEqual(await drawn(1), await drawn(1));
  assert.notDeepEqual(await drawn(1), await drawn(2));
});

describe('a store that does not behave is told what it did', () => {
  const failure = async (listApiKeys: () => unknown, close?: () => void): Promise<string> => {
    const [check] = conformanceChecks({ open: () => ({ roster: { listApiKeys }, close }) as never });
    const error = await check?.run().catch(thrown => thrown);
    return error.message;
  };

  test('when it never answers, with the query', async t => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const message = failure(() => new Promise(() => {}));
    await new Promise(setImmediate);
    t.mock.timers.tick(10_000);
    assert.match(
      await message,
      /^listApiKeys failed: Error: no answer within 10000 ms\n(.*\n)*listApiKeys\('org_0', \{ limit: /,
    );
  });

  test('when close throws too', async () => {
    const close = () => {
      throw new Error('closed already');
    };
    const wrong = async () => ({ items: [], hasMore: true });
    assert.match(await failure(wrong, close), /^listApiKeys must return as many/);
  });

  test('when an item is null, or the answer has a BigInt', async () => {
    const items = failure(async () => ({ items: [null], hasMore: false }));
    assert.match(
      await items,
      /^listApiKeys must return items that pageItem has made\n(.*\n)*came: {5}null; hasMore/,
    );
    const count = failure(async () => ({ rows: [], count: 5n }));
    assert.match(
      await count,
      /^listApiKeys must return null or .*\n(.*\n)*came: {5}\{ rows: \[\], count: 5n \}\n/,
    );
  });
});

test('a failing close of a right store fails the check', async () => {
  const InMemoryStore = await inMemoryStore();
  const close = () => Promise.reject(new Error('closed already'));
  const [check] = conformanceChecks({ open: content => ({ roster: new InMemoryStore(content), close }) });
  await assert.rejects(check?.run() ?? assert.fail(), /^Error: close failed: Error: closed already/);
});

test('without a way to change a store, the check of changes says in its name that it is not run', () => {
  const names = conformanceChecks({ open: () => assert.fail() }).map(({ name }) => name);
  assert.deepEqual(
    names.filter(name => /NOT RUN/.test(name)),
    [`NOT RUN, since the option "change" is missing: ${AGAIN}`],
  );
});

test('each store is closed before the next is opened', async () => {
  const InMemoryStore = await inMemoryStore(['rest.length > limit', 'false']);
  let opened = 0;
  let closed = 0;
  const checks = conformanceChecks({
    open(content) {
      assert.equal(opened++, closed);
      return { roster: new InMemoryStore(content), close: () => void closed++ };
    },
  });
  for (const { run } of checks) await run().catch(() => {});
  assert.equal(closed, opened);
  assert.equal(opened, checks.length - 1); // one isn't run
});

test('a wrong option is a TypeError that names it', () => {
  const open = () => assert.fail('not called');
  for (const [options, message] of [
    [undefined, /^options: must be an object$/],
    [{}, /^open: must be a function$/],
    [{ open, change: 1 }, /^change: must be a function$/],
    [{ open, timeDecimals: 7 }, /^timeDecimals: must be a whole number from 0 to 6$/],
    [{ open, chnage: open }, /^chnage: unknown option, did you mean change\?$/],
  ] as const)
    assert.throws(() => conformanceChecks(options as never), { name: 'TypeError', message });
});
