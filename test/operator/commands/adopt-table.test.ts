import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { type VendorDatabase, vendorDatabase } from '../../support/adopted/vendor-database.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../support/scope.ts';

const SECRETS = "encode(sha256(('key' || i)::bytea), 'base64')";
const TABLE = `
  CREATE TABLE api_keys (id text PRIMARY KEY, account_id text NOT NULL, title text NOT NULL, made timestamptz NOT NULL, created_by text NOT NULL,
    prefix text NOT NULL, api_key text NOT NULL, enabled boolean NOT NULL);
  INSERT INTO api_keys SELECT 'k' || i, 'a' || i % 2, 'Very private', now(), 'user_7', 'acme_' || i, ${SECRETS}, true FROM generate_series(1, 20) AS i`;

describe('keyroster adopt --table', () => {
  const scope = suiteScope();
  let database: VendorDatabase;
  let folder: string;
  before(async () => {
    database = await vendorDatabase(scope);
    await database.client.query(TABLE);
    folder = temporaryFolder(scope);
  });
  const env = () => ({ KEYROSTER_DATABASE_URL: database.url });
  const adopt = (...args: string[]) => runCommand(['adopt', ...args], { env: env(), cwd: folder });
  const written = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

  const assertNoValue = (text: string) => assert.doesNotMatch(text, /Very private|user_7|acme_|k1\b/);

  test('writes what it proposes to a file, and prints a row for each field and what is next', async () => {
    const { exitCode, stdout, stderr } = await adopt('--table', 'public.api_keys');
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    assertNoValue(stdout);
    const lines = stdout.split('\n');
    assert.equal(lines[0], 'public.api_keys: 8 columns');
    assert.equal(lines[1], 'organization_id\taccount_id\tunsure\tits name; each value is one organization');
    assert.equal(lines[3], 'name\ttitle\tsure\tits name');
    assert.match(lines[4] ?? '', /^created_at\t-\tto do\t/);
    assert.equal(lines[8], 'status\tenabled; true = active; false = inactive\tsure\tits name and type');
    assert.deepEqual(lines.slice(10), [
      'api_key: has full keys or hashes of keys, by its name: it is never listed',
      'wrote keyroster.table.json',
      'to do in the file, a source for each "todo", which says what to choose: created_at',
      'to be looked at, and corrected in the file where it is wrong: organization_id',
      'next: keyroster adopt --mapping keyroster.table.json',
      '',
    ]);
    assert.equal(statSync(join(folder, 'keyroster.table.json')).mode & 0o777, 0o644 & ~process.umask());
    const file = written('keyroster.table.json');
    assertNoValue(JSON.stringify(file));
    assert.deepEqual(file.fields.organization_id, { column: 'account_id' });
    assert.deepEqual(file.fields.created_at, {
      todo: 'name the column with the time at which the key was made',
    });
    assert.deepEqual(file.filters, ['status', 'workspace_id', 'created_by_user_id']);
  });

  test('never overwrites a file', async () => {
    writeFileSync(join(folder, 'mine.json'), 'mine');
    const { exitCode, stderr } = await adopt('--table', 'public.api_keys', '--file', 'mine.json');
    assert.equal(exitCode, 1);
    assert.equal(stderr, 'keyroster: --file: mine.json already exists: give another name, or remove it\n');
    assert.equal(readFileSync(join(folder, 'mine.json'), 'utf8'), 'mine');
  });

  test('is followed by --mapping, which refuses what is to do or a column of keys, and warns of rows that can not be listed', async () => {
    const file = join(folder, 'todo.json');
    await adopt('--table', 'public.api_keys', '--file', file);
    const mappingWith = async (fields: object) => {
      const edited = written('todo.json');
      writeFileSync(file, JSON.stringify({ ...edited, fields: { ...edited.fields, ...fields } }));
      return adopt('--mapping', file);
    };
    const unfinished = await mappingWith({});
    assert.equal(unfinished.exitCode, 2);
    assert.match(
      unfinished.stderr,
      /fields\.created_at: is still to be decided: name the column with the time/,
    );
    const { exitCode, stdout, stderr } = await mappingWith({ created_at: { column: 'made' } });
    assert.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    assert.match(stdout, /^-- run "keyroster migrate" before this[\s\S]*CREATE VIEW keyroster\.api_keys/);
    const unmasked = { created_at: { column: 'made' }, partial_key_hint: { column: 'prefix' } };
    assert.equal((await mappingWith(unmasked)).exitCode, 0);
    const applied = await adopt('--mapping', file, '--apply');
    assert.equal(applied.exitCode, 1);
    assert.match(applied.stderr, /nothing was done: correct the rows or fields of the warnings/);
    const wrong = { name: { sql: `left("api_key", 8)` }, partial_key_hint: { column: 'prefix' } };
    const refused = await mappingWith(wrong);
    assert.deepEqual([refused.exitCode, refused.stdout], [1, '']);
    for (const message of [
      /warning: fields\.partial_key_hint: 20 of 20 sampled rows break its rule: must be masked/,
      /fields\.name: the column api_key has full keys or hashes of keys, by its name/,
    ])
      assert.match(refused.stderr, message);
  });

  const wrong: [args: string[], code: 1 | 2, error: RegExp][] = [
    [[], 2, /adopt: give --table, --mapping or --remove/],
    [['--table', 'public.api_keys', '--mapping', 'x.json'], 2, /cannot be used with/],
    [['--table', 'public.api_keys', '--remove'], 2, /cannot be used with/],
    [['--table', 'api_keyz'], 1, /table: there is no such table: it must be schema\.table/],
    [['--table', 'x', '--database', 'sqlite:x.db'], 1, /a table of your own has to be in PostgreSQL/],
  ];
  test('fails for a table that is none, and for options that say nothing together', async () => {
    for (const [args, code, error] of wrong)
      assertFailed(await adopt(...args, '--file', 'none.json'), code, error);
  });
});
