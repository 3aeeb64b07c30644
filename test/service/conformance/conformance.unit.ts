import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conformanceChecks } from '../../../src/service/conformance/conformance.ts';
import type { RosterReader } from '../../../src/service/roster/pages/page.ts';
import type { ApiKeyRecord } from '../../../src/shared/record/api-key-record.ts';
import { type InMemoryStore, inMemoryStore, type Patch } from '../../support/in-memory-store.ts';

interface KeepingStore {
  readonly roster: InMemoryStore;
  readonly content: Map<string, readonly ApiKeyRecord[]>;
}

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

describe('a store that cannot keep all that it is given says what it has', () => {
  /** What is left of a record, which gets this number. */
  const kept: Readonly<Record<string, (record: ApiKeyRecord, number: number) => ApiKeyRecord>> = {
    milliseconds: record => ({ ...record, created_at: `${record.created_at.slice(0, 23)}000Z` }),
    seconds: record => ({ ...record, created_at: `${record.created_at.slice(0, 19)}.000000Z` }),
    'numbers as IDs, and nothing that most tables lack': (record, number) => ({
      ...{ ...record, id: String(number) },
      ...{ status: 'active', workspace_id: null, created_by: { id: '7', type: 'user' } },
    }),
  };
  const byNumber: Patch = ['a.id < b.id', 'BigInt(a.id) < BigInt(b.id)'];
  async function checksOver(keep: (typeof kept)[string], ...patches: Patch[]) {
    const InMemoryStore = await inMemoryStore(...patches);
    let number = 0;
    const put = (store: KeepingStore, organization: string, record: ApiKeyRecord) => {
      const all = store.content.get(organization) ?? [];
      const known = all.some(({ id }) => id === record.id) && { id: record.id };
      const stored = { ...keep(record, ++number), ...known };
      store.roster.put(organization, stored);
      const others = all.filter(({ id }) => id !== stored.id);
      store.content.set(organization, [...others, stored]);
    };
    return conformanceChecks<KeepingStore>({
      open(given) {
        const store = { roster: new InMemoryStore([]), content: new Map([...given].map(([id]) => [id, []])) };
        for (const [id, records] of given) for (const record of records) put(store, id, record);
        return store;
      },
      change: put,
    });
  }

  for (const [what, keep] of Object.entries(kept))
    test(`such as ${what}: it passes`, async () => {
      const patches = what.startsWith('numbers') ? [byNumber] : [];
      for (const { run } of await checksOver(keep, ...patches)) await run();
    });

  test('and fails where it sorts numbers as text', async () => {
    const [, keep] = Object.entries(kept).at(-1) ?? [];
    const runs = (await checksOver(keep as never)).map(({ run }) => run().then(() => 'passed', String));
    const failed = (await Promise.all(runs)).filter(end => end !== 'passed');
    assert(failed.length > 0);
  });

  test('and fails where that has fewer keys than were given', async () => {
    const InMemoryStore = await inMemoryStore();
    const [check] = conformanceChecks({
      open: () => ({ roster: new InMemoryStore([]), content: new Map() }),
    });
    await assert.rejects(check?.run() ?? assert.fail(), /content: must have each API key that was given/);
  });

  test('and fails where it moves keys between organizations, is no Map, or there is no roster', async () => {
    const InMemoryStore = await inMemoryStore();
    const failing = async (open: (content: ReadonlyMap<string, readonly ApiKeyRecord[]>) => unknown) => {
      const checks = conformanceChecks({ open: open as () => { roster: RosterReader } });
      const { run } = checks.find(({ name }) => name.startsWith('any page')) ?? assert.fail();
      return run().then(
        () => assert.fail(),
        ({ message }: Error) => message,
      );
    };
    const roster = new InMemoryStore([]);
    const inOne = (content: ReadonlyMap<string, readonly ApiKeyRecord[]>) =>
      new Map([...content.keys()].map((id, at) => [id, at === 0 ? [...content.values()].flat() : []]));
    assert.match(
      await failing(content => ({ roster, content: inOne(content) })),
      /^content: must have each API key that was given to org_/,
    );
    assert.match(await failing(() => ({ roster, content: {} })), /^content: must be a Map/);
    assert.match(await failing(() => null), /^open: must return an object with a roster/);
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
    [{ open, seed: 0.5 }, /^seed: must be a whole number from 0 to 4294967295$/],
    [{ open, chnage: open }, /^chnage: unknown option, did you mean change\?$/],
  ] as const)
    assert.throws(() => conformanceChecks(options as never), { name: 'TypeError', message });
});
