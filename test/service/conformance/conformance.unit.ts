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

describe('a store that is wrong in one thing fails with a message that tells why', () => {
  /** What is wrong, by which replacement in the source, the name of the check that fails, and its message. */
  const wrongStores: readonly (readonly [
    what: string,
    patch: Patch,
    check: RegExp,
    message: string | RegExp,
  ])[] = [
    [
      'drops ties',
      ['newestFirst(record, position) > 0', 'record.created_at < position.created_at'],
      /^keys with the same created_at are all listed/,
      `key_B2 is missing: it is a key of this organization, and it matches

org_2 has these API keys:
  key_a2  2024-10-30T23:58:27.427700Z  active  null  user_a
  key_B2  2024-10-30T23:58:27.427700Z  active  null  user_a
listApiKeys('org_2', { limit: 1, cursor: { direction: 'after', id: 'key_a2' }, filter: {} })
expected: key_B2; hasMore: false
came:     no items; hasMore: false`,
    ],
    [
      'guesses hasMore',
      ['rest.length > limit', 'rest.length >= limit'],
      /^hasMore is exact/,
      /^hasMore must be false: no key is left\n/,
    ],
    [
      'never has more',
      ['rest.length > limit', 'false'],
      /^hasMore is exact/,
      /^hasMore must be true: key_\w+ is left\n/,
    ],
    [
      'ignores a filter',
      ['(workspaceId === undefined || record.workspace_id === workspaceId) &&', ''],
      /^every filter is obeyed/,
      /^key_a1 must not be listed: the filter asks for another workspace_id\n/,
    ],
    [
      'accepts a foreign cursor',
      ['roster.get(cursor.id)', '[...this.#rosters.values()].map(keys => keys.get(cursor.id)).find(Boolean)'],
      /^a key of another organization is unknown/,
      /^the cursor key_a1 is a key of another organization, org_1: return null, as for an unknown one\n/,
    ],
    [
      'orders by milliseconds',
      ['a.created_at !== b.created_at', 'a.created_at.slice(0, 23) !== b.created_at.slice(0, 23)'],
      /^the newest key comes first/,
      /^key_y2 is missing, and key_z2 is listed instead: key_y2 was created 1 µs later than key_z2, and the newest/,
    ],
    [
      'compares IDs as a language does',
      ['a.id < b.id', 'a.id.localeCompare(b.id) < 0'],
      /^keys with the same created_at/,
      /^key_a2 is missing, and key_B2 is listed instead: .* the greater ID comes first, compared as bytes/,
    ],
    [
      'begins at the cursor itself',
      ['newestFirst(record, position) > 0', 'newestFirst(record, position) >= 0'],
      /^the newest key/,
      /^listApiKeys must return a page without its cursor\n/,
    ],
    [
      'looks for the cursor among the matching keys',
      [
        'roster.get(cursor.id)',
        '[...roster.values()].find(({ id, ...rest }) => id === cursor.id && passes(rest, filter))',
      ],
      /^a cursor need not pass/,
      /^the cursor key_\w+ is a key of this organization: return the page, also where it doesn't pass the filter or the times\n/,
    ],
    [
      'turns a page before the cursor around',
      ['newer.slice(-limit)', 'newer.slice(-limit).reverse()'],
      /^the newest key/,
      /^key_x3 must come before key_y3: key_x3 was created 1 µs later/,
    ],
    [
      'lists an unknown cursor from the beginning',
      ['if (cursor && !position) return null;', ''],
      /^a cursor that no key has/,
      /^the cursor key_none is unknown: return null, as for/,
    ],
    [
      'has pages of 100 keys at most',
      ['rest.slice(0, limit)', 'rest.slice(0, Math.min(limit, 100))'],
      /^a page can have 1,000/,
      /^listApiKeys must return as many items as limit where hasMore is true\n\norg_0 has these API keys:\n( {2}.*\n){12} {2}and \d+ more\n/,
    ],
    [
      'loses a field',
      ['.map(pageItem)', '.map(record => pageItem({ ...record, workspace_id: null }))'],
      /^a page has every API key/,
      /^the record of key_w0\d must have workspace_id "wrkspc_a", and it is null\n/,
    ],
    [
      'throws',
      ['if (cursor && !position) return null;', "if (cursor && !position) throw new Error('no such key');"],
      /^a cursor that no key has/,
      /^listApiKeys failed: Error: no such key\n(.*\n)*came: {5}an error$/,
    ],
    [
      'counts off the pages before, and does not look where the cursor is',
      [
        'matching.filter(record => newestFirst(record, position) > 0) : matching',
        'matching.slice(limit * ++this.page) : (this.page = 0, matching)',
      ],
      /^a walk misses/,
      /^in a walk: key_a2 is missing, although it was there .*\n(.*\n)*a walk by after, limit 1, status 'active'; after each page the cursor is archived:\npage 1: key_c2; hasMore: true\npage 2: /,
    ],
  ];
  for (const [what, patch, check, message] of wrongStores)
    test(`one that ${what}`, async () => {
      const { run } = (await checksOf(patch)).find(({ name }) => check.test(name)) ?? {};
      assert(run);
      await assert.rejects(run(), { name: 'Error', message });
    });
});

describe('the check of walks under change fails', () => {
  type Change = NonNullable<ConformanceOptions<{ roster: InMemoryStore }>['change']>;
  const put: Change = ({ roster }, organizationId, record) => roster.put(organizationId, record);

  const failure = async (change: Change, ...patches: Patch[]) => {
    const InMemoryStore = await inMemoryStore(...patches);
    const checks = conformanceChecks({ open: content => ({ roster: new InMemoryStore(content) }), change });
    const check = checks.find(({ name }) => name.startsWith('a walk'));
    return check?.run().then(
      () => assert.fail('the check passed'),
      error => error,
    );
  };

  test('when change throws, and tells so with the roster and the pages', async () => {
    const thrown = new Error('read-only');
    const error = await failure(() => {
      throw thrown;
    });
    assert.match(
      error.message,
      /^in a walk: change failed: Error: read-only\n\norg_0 has these API keys:\n(.*\n){4}page 1: key_c0; hasMore: true$/,
    );
    assert.equal(error.cause, thrown);
  });

  test('when the store throws, and tells so with the roster and the pages', async () => {
    const error = await failure(put, [
      'if (cursor && !position) return null;',
      "if (position?.status === 'archived') throw new Error('archived');",
    ]);
    assert.match(
      error.message,
      /^in a walk: listApiKeys failed: Error: archived\n\norg_\d+ has these API keys:\n/,
    );
    assert.match(
      error.message,
      /; after each page the cursor is archived:\npage 1: key_c\d+; hasMore: true$/,
    );
    assert.equal(error.cause.message, 'archived');
  });
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
      /^listApiKeys must return null or .*\n(.*\n)*came: {5}\{ rows: \[\], count: 5n \}$/,
    );
  });
});

test('a failing close of a right store fails the check', async () => {
  const InMemoryStore = await inMemoryStore();
  const close = () => Promise.reject(new Error('closed already'));
  const [check] = conformanceChecks({ open: content => ({ roster: new InMemoryStore(content), close }) });
  await assert.rejects(check?.run() ?? assert.fail(), /^Error: close failed: Error: closed already$/);
});

test('without a way to change a store, the checks of changes say in their name that they are not run', () => {
  const names = conformanceChecks({ open: () => assert.fail() }).map(({ name }) => name);
  assert.deepEqual(
    names.filter(name => /NOT RUN/.test(name)),
    [
      'a page that is asked for again has what was changed meanwhile',
      'a walk misses and repeats no key while keys are added, renamed, moved and archived',
    ].map(name => `NOT RUN, since the option "change" is missing: ${name}`),
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
  assert.equal(opened, checks.length - 2); // two aren't run
});

test('a wrong option is a TypeError that names it', () => {
  const open = () => assert.fail('not called');
  for (const [options, message] of [
    [undefined, /^options: must be an object$/],
    [{}, /^open: must be a function$/],
    [{ open, change: 1 }, /^change: must be a function$/],
    [{ open, chnage: open }, /^chnage: unknown option, did you mean change\?$/],
  ] as const)
    assert.throws(() => conformanceChecks(options as never), { name: 'TypeError', message });
});
