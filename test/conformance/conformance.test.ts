import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConformanceOptions, conformanceChecks } from '../../src/conformance/conformance.ts';
import { type InMemoryStore, inMemoryStore, type Patch } from '../support/in-memory-store.ts';

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
  const wrongStores: readonly {
    what: string;
    patch: Patch;
    /** The name of the check that fails. */
    check: RegExp;
    message: string | RegExp;
  }[] = [
    {
      what: 'drops ties',
      patch: ['newestFirst(record, position) > 0', 'record.created_at < position.created_at'],
      check: /^keys with the same created_at are all listed/,
      message: `key_B2 is missing: keys with the same created_at must all be listed, and key_a2 has the same

org_2 has these API keys:
  key_a2  2024-10-30T23:58:27.427700Z  active  null  user_a
  key_B2  2024-10-30T23:58:27.427700Z  active  null  user_a
listApiKeys('org_2', { limit: 1, cursor: { direction: 'after', id: 'key_a2' }, filter: {} })
expected: key_B2; hasMore: false
came:     no items; hasMore: false`,
    },
    {
      what: 'guesses hasMore',
      patch: ['rest.length > limit', 'rest.length >= limit'],
      check: /^hasMore is exact/,
      message: `hasMore must be false: no key is left, although the page has as many as the limit, 1

org_1 has these API keys:
  key_a1  2024-10-30T23:58:27.427700Z  active  wrkspc_a  user_a
listApiKeys('org_1', { limit: 1, cursor: null, filter: {} })
expected: key_a1; hasMore: false
came:     key_a1; hasMore: true`,
    },
    {
      what: 'ignores a filter',
      patch: ['(workspaceId === undefined || record.workspace_id === workspaceId) &&', ''],
      check: /^every filter is obeyed/,
      message: `key_a1 must not be listed: the filter asks for another workspace_id

org_1 has these API keys:
  key_a1  2024-10-30T23:58:27.427700Z  active  wrkspc_a  user_a
listApiKeys('org_1', { limit: 1, cursor: null, filter: { workspaceId: 'wrkspc_b' } })
expected: no items; hasMore: false
came:     key_a1; hasMore: false`,
    },
    {
      what: 'accepts a foreign cursor',
      patch: [
        'roster.get(cursor.id)',
        '[...this.#rosters.values()].map(keys => keys.get(cursor.id)).find(Boolean)',
      ],
      check: /^a key of another organization is unknown/,
      message: `the cursor key_a1 is a key of another organization, org_1: return null, as for an unknown one, so that nobody can find out the IDs of other organizations

org_0 has no API keys
org_1 has these API keys:
  key_a1  2024-10-30T23:58:27.427700Z  active  null  user_a
listApiKeys('org_0', { limit: 1, cursor: { direction: 'after', id: 'key_a1' }, filter: {} })
expected: null
came:     no items; hasMore: false`,
    },
    {
      what: 'orders by milliseconds',
      patch: ['a.created_at !== b.created_at', 'a.created_at.slice(0, 23) !== b.created_at.slice(0, 23)'],
      check: /^the newest key comes first/,
      message: `key_y2 is missing, and key_z2 is listed instead: key_y2 was created 1 µs later than key_z2, and the newest comes first

org_2 has these API keys:
  key_z2  2024-10-30T23:58:27.427700Z  active  null  user_a
  key_y2  2024-10-30T23:58:27.427701Z  active  null  user_a
listApiKeys('org_2', { limit: 1, cursor: null, filter: {} })
expected: key_y2; hasMore: true
came:     key_z2; hasMore: true`,
    },
    {
      what: 'guesses hasMore back',
      check: /^a page after or before/,
      patch: ['newer.length > limit', 'newer.length >= limit'],
      message: /^hasMore must be false: no key is left, although/,
    },
    {
      what: 'never has more',
      check: /^hasMore is exact/,
      patch: ['rest.length > limit', 'false'],
      message: /^hasMore must be true: key_\w+ is left\n/,
    },
    {
      what: 'compares IDs as a language does',
      check: /^keys with the same created_at/,
      patch: ['a.id < b.id', 'a.id.localeCompare(b.id) < 0'],
      message:
        /^key_a2 is missing, and key_B2 is listed instead: .* the greater ID comes first, compared as bytes/,
    },
    {
      what: 'begins at the cursor itself',
      check: /^the newest key/,
      patch: ['newestFirst(record, position) > 0', 'newestFirst(record, position) >= 0'],
      message: /^key_z1 must not be listed: it is the cursor itself\n/,
    },
    {
      what: 'looks for the cursor among the matching keys',
      check: /^a cursor need not pass/,
      patch: [
        'roster.get(cursor.id)',
        '[...roster.values()].find(({ id, ...rest }) => id === cursor.id && passes(rest, filter))',
      ],
      message:
        /^the cursor key_a1 .* need not pass the filter: it is a position, and its \w+ is another: return the page/,
    },
    {
      what: 'takes the farthest keys before the cursor',
      check: /^the newest key/,
      patch: ['newer.slice(-limit)', 'newer.slice(0, limit)'],
      message:
        /^key_y3 is missing, and key_x3 is listed instead: of the keys before the cursor, those nearest to it/,
    },
    {
      what: 'turns a page before the cursor around',
      check: /^the newest key/,
      patch: ['newer.slice(-limit)', 'newer.slice(-limit).reverse()'],
      message: /^key_x3 must come before key_y3: key_x3 was created 1 µs later/,
    },
    {
      what: 'lists an unknown cursor from the beginning',
      check: /^a cursor that no key has/,
      patch: ['if (cursor && !position) return null;', ''],
      message: /^the cursor key_none is unknown: return null\n/,
    },
    {
      what: 'guesses hasMore, with 1,001 keys',
      check: /^a page can have 1,000/,
      patch: ['rest.length > limit', 'rest.length >= limit'],
      message:
        /^hasMore must be false: .*\n\norg_0 has these API keys:\n {2}key_k\d+_0 .*\n {2}key_k\d+_0 .*\nlistApiKeys\('org_0', \{ limit: 1,/,
    },
    {
      what: 'has pages of 100 keys at most',
      check: /^a page can have 1,000/,
      patch: ['rest.slice(0, limit)', 'rest.slice(0, Math.min(limit, 100))'],
      message:
        /^key_k\d+_0 is missing: .* the limit is 1\d\d\n\norg_0 has these API keys:\n( {2}.*\n){12} {2}and \d+ more\n/,
    },
    {
      what: 'lists the keys of all organizations',
      check: /^a page has every API key/,
      patch: [
        '[...roster.values()].filter',
        '[...this.#rosters.values()].flatMap(keys => [...keys.values()]).filter',
      ],
      message: /^key_\w+ must not be listed: it is a key of another organization, org_\d+\n/,
    },
    {
      what: 'loses a field',
      check: /^a page has every API key/,
      patch: ['.map(pageItem)', '.map(record => pageItem({ ...record, workspace_id: null }))'],
      message: /^the record of key_w0\d must have workspace_id "wrkspc_a", and it is null\n/,
    },
    {
      what: 'returns records where items belong',
      check: /^the newest key/,
      patch: ['.map(pageItem)', ''],
      message: /^listApiKeys must return \{ items, hasMore \}, with items as pageItem makes them, or null\n/,
    },
    {
      what: 'throws',
      check: /^a cursor that no key has/,
      patch: [
        'if (cursor && !position) return null;',
        "if (cursor && !position) throw new Error('no such key');",
      ],
      message: /^listApiKeys failed: Error: no such key\n(.*\n)*came: {5}an error$/,
    },
    {
      what: 'forgets a cursor that is archived during a walk',
      check: /^a walk misses/,
      patch: [
        'roster.get(cursor.id)',
        "[roster.get(cursor.id)].find(key => !(key?.status === 'archived' && filter.status === 'active'))",
      ],
      message:
        /^in a walk: the cursor of the last page is a key of this organization: return a page, not null\n/,
    },
    {
      what: 'orders by the time of the last change',
      check: /^a walk misses/,
      patch: [
        'roster.set(record.id, record)',
        "roster.set(record.id, roster.has(record.id) ? { ...record, created_at: '2030-01-01T00:00:00.000000Z' } : record)",
      ],
      message:
        /^in a walk: at its end, with what change stored: the record of key_c0 must have created_at "2024-.*", and it is "2030-/,
    },
    {
      what: 'counts off the pages before, and does not look where the cursor is',
      check: /^a walk misses/,
      patch: [
        'matching.filter(record => newestFirst(record, position) > 0) : matching',
        'matching.slice(limit * ++this.page) : (this.page = 0, matching)',
      ],
      message:
        /^in a walk: key_a2 is missing, although it was there .*\n(.*\n)*a walk by after, limit 1, status 'active'; after each page the cursor is archived:\npage 1: key_c2; hasMore: true\npage 2: /,
    },
  ];
  for (const { what, patch, check, message } of wrongStores)
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

  test('when change stores nothing', async () => {
    const { message } = await failure(() => {});
    assert.equal(
      message,
      `in a walk: at its end, with what change stored: the record of key_c0 must have name "c renamed", and it is "c"

org_0 has these API keys:
  key_a0  2024-10-30T23:58:27.427700Z  active  null  user_a
  key_B0  2024-10-30T23:58:27.427700Z  active  null  user_a
  key_c0  2024-10-30T23:58:27.427701Z  active  null  user_a
a walk by after, limit 1, status 'active'; after each page the cursor is renamed:
page 1: key_c0; hasMore: true
page 2: key_a0; hasMore: true
page 3: key_B0; hasMore: false`,
    );
  });

  test('when change only changes the keys that there are', async () => {
    const { message } = await failure(async (store, organizationId, record) => {
      if (/added|new/.test(record.name)) return;
      await put(store, organizationId, record);
    });
    assert.match(message, /^in a walk: at its end, with what change stored: key_c\d+z0 is missing: /);
    assert.match(message, /; after each page a key is added right before the cursor:\npage 1: /);
  });

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

  test('when a page has no items, and tells what it has', async () => {
    const error = await failure(put, ['items:', 'keys:']);
    assert.match(error.message, /^in a walk: .*\n(.*\n)*page 1: \{"keys":\[/);
  });
});

test('without a way to change a store, the walks under change say in their name that they are not run', () => {
  const names = conformanceChecks({ open: () => assert.fail() }).map(({ name }) => name);
  assert.deepEqual(
    names.filter(name => /NOT RUN/.test(name)),
    [
      'NOT RUN, since the option "change" is missing: ' +
        'a walk misses and repeats no key while keys are added, renamed, moved and archived',
    ],
  );
});

test('each store is closed before the next is opened, also those that a counterexample is made smaller with', async () => {
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
  assert(opened > checks.length);
});
