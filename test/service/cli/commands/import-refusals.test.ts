import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../../support/import-file.ts';

const ID = 'must be 1 to 128 of A-Z a-z 0-9 _ -';
const TIME = 'must be an RFC 3339 timestamp such as 2024-10-30T23:58:27.427722Z';
const NAME = 'must be text of at most 1000 characters, without NUL or broken surrogates';
const HINT =
  'must be masked: 1 to 32 characters of the key\'s prefix, "...", and the last 1 to 8, such as sk-ven-api03-R2D...igAA';
const UNKNOWN = 'unknown field';
const creator = { id: 'user_a', type: 'user' };
const key = `sk-ven-api03-R2D${'x'.repeat(60)}igAA`; // what the hint of `record` masks

/** Changes to a valid record, each with all the faults that import reports for it. */
const wrong: readonly (readonly [Record<string, unknown>, ...string[]])[] = [
  [{ id: undefined }, `id: is missing: ${ID}`],
  [{ id: 'a b' }, `id: ${ID}`],
  [{ id: 17 }, `id: ${ID}`],
  [{ id: 'x'.repeat(129) }, `id: ${ID}`],
  [{ type: 'token' }, 'type: must be api_key'],
  [{ name: undefined }, `name: is missing: ${NAME}`],
  [{ name: 'x'.repeat(1001) }, `name: ${NAME}`],
  [{ name: 'a\0b' }, `name: ${NAME}`],
  [{ name: '\ud800' }, `name: ${NAME}`],
  [{ created_at: undefined }, `created_at: is missing: ${TIME}`],
  [{ created_at: '2024-02-30T00:00:00Z' }, `created_at: ${TIME}`],
  [{ created_at: '2024-10-30T23:58:27.4277221Z' }, `created_at: ${TIME}`],
  [{ created_at: 1_700_000_000 }, `created_at: ${TIME}`],
  [{ created_by: undefined }, 'created_by: is missing: must be an object of id and type'],
  [{ created_by: 'user_a' }, 'created_by: must be an object of id and type'],
  [{ created_by: { ...creator, id: '' } }, `created_by.id: ${ID}`],
  [{ created_by: { id: 'user_a' } }, 'created_by.type: is missing: must be one of user, service_account'],
  [{ created_by: { ...creator, email: 'a@b' } }, `created_by.email: ${UNKNOWN}`],
  [{ partial_key_hint: undefined }, `partial_key_hint: is missing: ${HINT}`],
  [{ partial_key_hint: key }, `partial_key_hint: ${HINT}`],
  [{ partial_key_hint: 'sk-ven...123456789' }, `partial_key_hint: ${HINT}`],
  [{ status: undefined }, 'status: is missing: must be one of active, inactive, archived'],
  [{ status: 'Active' }, 'status: must be one of active, inactive, archived'],
  [{ workspace_id: undefined }, `workspace_id: is missing: ${ID}, or null for the default workspace`],
  [{ workspace_id: '' }, `workspace_id: ${ID}, or null for the default workspace`],
  ...['key', 'secret', 'api_key', 'hash'].map(field => [{ [field]: 'x' }, `${field}: ${UNKNOWN}`] as const),
  [{ name: `pasted ${key} here` }, 'name: contains the key that partial_key_hint masks'],
  [{ id: key }, 'id: contains the key that partial_key_hint masks'],
  [{ created_by: { ...creator, id: key } }, 'created_by.id: contains the key that partial_key_hint masks'],
  [{ workspace_id: key }, 'workspace_id: contains the key that partial_key_hint masks'],
  [
    { id: '', status: 'gone', created_by: { id: 'a b', type: 'robot' } },
    `id: ${ID}`,
    `created_by.id: ${ID}`,
    'created_by.type: must be one of user, service_account',
    'status: must be one of active, inactive, archived',
  ],
];

/** The number of faults that `import` prints; it counts the rest. */
const SHOWN = 20;

for (let start = 0; start < wrong.length; start += SHOWN) {
  const some = wrong.slice(start, start + SHOWN);
  const range = `${start + 1} to ${start + some.length} of ${wrong.length}`;
  test(`import reports each fault by line and field, and imports nothing (${range})`, async t => {
    const store = await embeddedStore(t);
    const right = record('right');
    const lines = some.map(([parts], index) => record(`k${index}`, parts));
    const { exitCode, stdout, stderr } = await importContent(
      store,
      jsonLines([right, ...lines, right]).trimEnd(),
    );
    const faults = some.flatMap(([, ...all], index) => all.map(fault => `line ${index + 2}: ${fault}`));
    const duplicate = `line ${some.length + 2}: id: duplicate of line 1`;
    const shown = some.length < SHOWN ? [...faults, duplicate] : faults;
    const more = some.length < SHOWN ? '' : ` (the first ${SHOWN} are shown)`;
    const hasUnknown = some.some(([, ...all]) => all.some(fault => fault.endsWith(UNKNOWN)));
    const remedy = hasUnknown ? '; "keyroster fields add" declares a field of your own' : '';
    assert.deepEqual(stderr.split('\n'), [
      ...shown,
      `keyroster: ${some.length + 1} line(s) refused${more}: nothing was imported${remedy}`,
      '',
    ]);
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.deepEqual(await store.records(), []);
  });
}

test('a duplicate ID is refused with both line numbers, however far apart the lines are', async t => {
  const store = await embeddedStore(t);
  const many = Array.from({ length: 2_000 }, (_, number) => record(`k${number}`));
  const { exitCode, stderr } = await importContent(
    store,
    jsonLines([...many, record('k41', { name: 'other' })]),
  );
  assert.equal(exitCode, 1);
  assert.match(stderr, /^line 2001: id: duplicate of line 42\n/);
  assert.deepEqual(await store.records(), []);
});
