import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../../support/import-file.ts';

const ID = 'must be 1 to 128 of A-Z a-z 0-9 _ -';
const TIME = 'must be an RFC 3339 timestamp such as 2024-10-30T23:58:27.427722Z';
const NAME = 'must be text of at most 1000 characters, without NUL or broken surrogates';
const HINT =
  'must be masked: 1 to 32 characters of the key\'s prefix, "...", and the last 1 to 8, such as sk-ven-api03-R2D...igAA';
const key = `sk-ven-api03-R2D${'x'.repeat(60)}igAA`; // what the hint of `record` masks

/** Changes to a valid record, one for each rule, with the faults that import reports; `api-key-record.unit.ts` has all values. */
const wrong: readonly (readonly [Record<string, unknown>, ...string[]])[] = [
  [{ id: undefined }, `id: is missing: ${ID}`],
  [{ type: 'token' }, 'type: must be api_key'],
  [{ name: 'x'.repeat(1001) }, `name: ${NAME}`],
  [{ created_at: '2024-10-30T23:58:27.4277221Z' }, `created_at: ${TIME}`],
  [{ created_by: 'user_a' }, 'created_by: must be an object of id and type'],
  [{ created_by: { id: 'user_a' } }, 'created_by.type: is missing: must be one of user, service_account'],
  [{ partial_key_hint: 'sk-ven...123456789' }, `partial_key_hint: ${HINT}`],
  [{ workspace_id: undefined }, `workspace_id: is missing: ${ID}, or null for the default workspace`],
  [{ key: 'x' }, 'key: unknown field'],
  [{ name: `pasted ${key} here` }, 'name: contains the key that partial_key_hint masks'],
  [{ id: '', status: 'gone' }, `id: ${ID}`, 'status: must be one of active, inactive, archived'],
];
/** More than it shows. */
const MANY = 25;

test('import reports each fault by line and field, and imports nothing', async t => {
  const store = await embeddedStore(t);
  const lines = wrong.map(([parts], index) => record(`k${index}`, parts));
  const imported = await importContent(store, jsonLines([record('right'), ...lines]).trimEnd());
  const faults = wrong.flatMap(([, ...all], index) => all.map(fault => `line ${index + 2}: ${fault}`));
  const remedy = '; "keyroster fields add" declares a field of your own';
  const refused = `keyroster: ${wrong.length} line(s) refused: nothing was imported${remedy}`;
  assert.deepEqual(imported, { exitCode: 1, stdout: '', stderr: `${[...faults, refused].join('\n')}\n` });
  const many = await importContent(store, jsonLines(Array(MANY).fill({ ...record('k'), status: 'gone' })));
  assert.match(
    many.stderr,
    /\nkeyroster: 25 line\(s\) refused \(the first 20 are shown\): nothing was imported\n$/,
  );
  assert.equal(many.stderr.split('\n').length, 22);
  assert.deepEqual(await store.records(), []);
});

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
