import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { apiKeyCanary, assertNoTrace, mistyped, shortApiKeyCanary } from './support/canaries.ts';
import { type Finished, keyroster, startKeyroster } from './support/command-line.ts';
import { type EmbeddedStore, embeddedStore } from './support/embedded-store.ts';
import { importContent, record } from './support/import-file.ts';
import { runCommand, runManyCommands } from './support/run-many-commands.ts';
import { suiteScope } from './support/scope.ts';

describe('a secret given to the command line', () => {
  const scope = suiteScope();
  const { key: apiKey, hint } = apiKeyCanary();
  const shortKey = shortApiKeyCanary();
  let store: EmbeddedStore;
  let adminKey: string;
  let canaries: string[];
  before(async () => {
    store = await embeddedStore(scope);
    adminKey = store.secret;
    canaries = [adminKey, mistyped(adminKey), apiKey];
    // A reader keeps the write-ahead log alive, so that the test can inspect what the commands wrote.
    const serve = startKeyroster(scope, ['serve', '--port', '0'], { env: store.env });
    await serve.line(/listening on/);
  });

  const run = (args: readonly string[], env: Record<string, string> = store.env) => runCommand(args, { env });
  const assertNotRepeated = ({ exitCode, stdout, stderr }: Finished, code: number, what: string) => {
    assertNoTrace(canaries, stdout + stderr, `the output of ${what}`);
    assert.equal(exitCode, code, what);
  };
  /** Runs each command line with each secret: all must fail without repeating the secret. */
  const assertNoneRepeated = async (
    code: number,
    secrets: string[],
    lines: (secret: string) => string[][],
  ) => {
    const all = secrets.flatMap(lines);
    const { finished } = await runManyCommands(
      all.map(args => ({ args })),
      { env: store.env },
    );
    for (const [number, each] of finished.entries()) assertNotRepeated(each, code, `${all[number]}`);
  };

  test('is refused as a name or an ID when it is a valid or mistyped admin key', () =>
    assertNoneRepeated(2, [adminKey, mistyped(adminKey)], secret => [
      ['organizations', 'create', secret],
      ['organizations', 'create', `Example ${secret}`],
      ['organizations', 'create', 'Example', '--id', secret],
      ['admin-keys', 'create', '--organization', secret],
      ['admin-keys', 'create', '--organization', store.organization, '--name', secret],
      ['admin-keys', 'revoke', secret],
      ['import', 'file.jsonl', '--organization', secret],
    ]));

  test("isn't repeated as an unknown organization or admin key when it is a full API key", () =>
    assertNoneRepeated(1, [apiKey], secret => [
      ['admin-keys', 'create', '--organization', secret],
      ['admin-keys', 'list', '--organization', secret],
      ['admin-keys', 'revoke', secret],
      ['import', 'file.jsonl', '--organization', secret],
    ]));

  test("isn't repeated as the password of the database URL", async () => {
    const url = `postgres://keyroster:${apiKey}@127.0.0.1:1/keyroster`; // nothing listens there
    const lines = [
      ['serve'],
      ['migrate'],
      ['organizations', 'list'],
      ['admin-keys', 'list'],
      ['serve', '--help'],
    ];
    const finished = await Promise.all(lines.map(args => run(args, { KEYROSTER_DATABASE_URL: url })));
    for (const [number, each] of finished.entries()) {
      assertNotRepeated(each, number < lines.length - 1 ? 1 : 0, `${lines[number]}`);
    }
  });

  test("isn't repeated when it is a short API key used as a field name", async () => {
    const finished = await importContent(store, JSON.stringify(record('k', { [shortKey]: 'x' })));
    assertNoTrace([shortKey], finished.stdout + finished.stderr, 'the output of import');
    assert.equal(finished.exitCode, 1);
  });

  test('is refused in every field of an import', async () => {
    const creator = { id: 'user_a', type: 'user' };
    for (const canary of canaries) {
      const part = (name: string, value: unknown) => record('k', { partial_key_hint: hint, [name]: value });
      const unknown = ['key', 'secret', 'api_key', 'hash', canary].map(name => part(name, canary));
      const known = ['id', 'name', 'workspace_id', 'type', 'created_at', 'created_by', 'status'];
      const lines = [
        ...[...unknown, ...known.map(name => part(name, canary)), part('name', `the key is ${canary}.`)],
        ...[part('partial_key_hint', canary), part('partial_key_hint', `${canary}...abcd`)],
        ...[part('created_by', { ...creator, id: canary }), part('created_by', { ...creator, type: canary })],
        ...[part('created_by', { ...creator, [canary]: '' }), canary],
      ].map(line => JSON.stringify(line));
      const finished = await importContent(store, [...lines, canary, `{"key": "${canary}`].join('\n'));
      assertNotRepeated(finished, 1, 'import');
      assert.match(finished.stderr, new RegExp(`^keyroster: ${lines.length + 2} line\\(s\\) refused`, 'm'));
    }
    assert.deepEqual(await store.records(), []);
  });

  for (const form of [[], ['--json']]) {
    const named = ['create', ...form].join(' ');
    test(`is printed once by admin-keys ${named}, and never by admin-keys list`, async () => {
      const ours = ['--organization', store.organization];
      const { stdout, stderr } = await run(['admin-keys', 'create', ...ours, ...form]);
      const [secret = '', ...others] = stdout.match(/vendor-admin01-\w+/g) ?? [];
      assert.deepEqual(others, []);
      assertNoTrace([secret], stdout.replace(secret, '') + stderr, named);
      canaries.push(secret);
      const listed = await run(['admin-keys', 'list', ...form]);
      assertNotRepeated(listed, 0, 'admin-keys list');
    });
  }

  test('is only in its file after admin-keys create --from', async () => {
    const to = join(store.folder, 'secrets.jsonl');
    const input = `${JSON.stringify({ organization_id: store.organization, name: 'in bulk' })}\n`;
    const create = ['admin-keys', 'create', '--from', '-', '--to', to];
    const { stdout, stderr } = await keyroster(create, { env: store.env, input });
    const [secret = ''] = readFileSync(to, 'utf8').match(/vendor-admin01-\w+/) ?? [];
    assert.ok(secret);
    assertNoTrace([secret], stdout + stderr, 'admin-keys create --from');
    canaries.push(secret);
    const wrong = [
      { organization_id: secret },
      { organization_id: 'o', name: secret },
      { id: 'o', name: secret },
    ];
    for (const line of wrong) {
      const given = { env: store.env, input: JSON.stringify(line) };
      assertNotRepeated(await keyroster([...create.slice(0, -1), `${to}.2`], given), 1, 'create --from');
      assertNotRepeated(await keyroster(['organizations', 'import', '-'], given), 1, 'organizations import');
    }
  });

  test('is nowhere in the database files', () => {
    const files = readdirSync(store.folder).filter(name => name.startsWith('keyroster.db'));
    const sizes = files.map(file => readFileSync(join(store.folder, file)).length);
    assert.deepEqual(files.toSorted(), ['keyroster.db', 'keyroster.db-shm', 'keyroster.db-wal']);
    assert.ok(
      sizes.every(size => size > 0),
      'the write-ahead log has the writes',
    );
    for (const file of files) assertNoTrace(canaries, readFileSync(join(store.folder, file)), file);
  });
});
