import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Running, startKeyroster } from '../../support/command-line.ts';
import { type EmbeddedStore, embeddedStore } from '../../support/embedded-store.ts';
import { assertFailed, runCommand } from '../../support/run-many-commands.ts';
import { suiteScope } from '../../support/scope.ts';
import { fetchJson } from '../../support/service.ts';

describe('admin-keys', () => {
  const scope = suiteScope();
  let store: EmbeddedStore;
  let address: string;
  let serve: Running;
  before(async () => {
    store = await embeddedStore(scope);
    serve = startKeyroster(scope, ['serve', '--port', '0'], { env: store.env });
    [, address = ''] = await serve.line(/"msg":"listening on (http:[^"]+)"/);
  });

  const adminKeys = (...args: string[]) => runCommand(['admin-keys', ...args], { env: store.env });
  const created = async (...args: string[]) =>
    JSON.parse((await adminKeys('create', '--organization', store.organization, '--json', ...args)).stdout);
  const listed = async (...args: string[]) => JSON.parse((await adminKeys('list', '--json', ...args)).stdout);
  const listedById = async (wanted: string) =>
    (await listed()).find(({ id }: { id: string }) => id === wanted);
  /** What the running service answers to this key. */
  const answerTo = (secret: string) =>
    fetchJson(`${address}/v1/organizations/api_keys`, {
      'x-api-key': secret,
      'vendor-version': '2023-06-01',
    });
  const statusOf = async (secret: string) => (await answerTo(secret)).status;

  test('create prints a secret that a running service accepts at once; with --json also the fields of list --json', async () => {
    const { exitCode, stdout, stderr } = await adminKeys('create', '--organization', store.organization);
    assert.deepEqual([exitCode, stderr], [0, '']);
    const [, id, secretOfId = ''] = /^(adminkey_\w{22})\t(vendor-admin01-\w{49})\n$/.exec(stdout) ?? [];
    assert.equal(await statusOf(secretOfId), 200);
    assert.ok(await listedById(String(id)));
    const { secret, ...key } = await created('--name', 'audit', '--vendor', 'acme');
    assert.match(secret, /^acme-admin01-\w{49}$/);
    assert.deepEqual([key.name, key.last_characters], ['audit', secret.slice(-4)]);
    assert.deepEqual(await listedById(key.id), key);
  });

  test('list never prints a secret or its digest, with or without --json', async () => {
    const { id, secret } = await created();
    const lists = [[], ['--json'], ['--organization', store.organization]];
    for (const { exitCode, stdout } of await Promise.all(lists.map(args => adminKeys('list', ...args)))) {
      assert.equal(exitCode, 0);
      assert.ok(stdout.includes(id));
      assert.ok(!stdout.includes(secret.slice(20, 32)));
      assert.doesNotMatch(stdout, /secret|digest|[0-9a-f]{64}/i);
    }
  });

  test('a revoked key is refused from the next request on, and stays in the list', async () => {
    const { id, secret } = await created();
    assert.equal(await statusOf(secret), 200);
    const revoked = await adminKeys('revoke', id);
    assert.deepEqual([revoked.exitCode, revoked.stderr], [0, '']);
    assert.match(revoked.stdout, new RegExp(`^${id} was revoked at \\d{4}-[^\\n]*Z\\n$`));
    assert.equal(await statusOf(secret), 401);
    const again = JSON.parse((await adminKeys('revoke', id, '--json')).stdout);
    assert.ok(revoked.stdout.includes(again.revoked_at), 'a second revoke changed the time');
    assert.deepEqual(await listedById(id), again);
  });

  test('a rotated key works on for the overlap, beside the key that it was rotated to', async () => {
    const { id, secret } = await created('--name', 'audit', '--networks', '127.0.0.1, 2001:db8::/32');
    const rotated = await adminKeys('rotate', id, '--overlap', '2h', '--json');
    assert.deepEqual([rotated.exitCode, rotated.stderr], [0, '']);
    const { secret: newSecret, old, ...key } = JSON.parse(rotated.stdout);
    assert.deepEqual(
      [key.name, key.networks, key.expires_at],
      ['audit', ['127.0.0.1', '2001:db8::/32'], null],
    );
    assert.equal(old.replaced_by, key.id);
    assert.equal(Date.parse(old.expires_at) - Date.parse(key.created_at), 7_200_000);
    assert.deepEqual([await statusOf(secret), await statusOf(newSecret)], [200, 200]);
    assert.deepEqual([await listedById(id), await listedById(key.id)], [old, key]);
    const before = new RegExp(`rotated before, to ${key.id}: rotate that one`);
    assertFailed(await adminKeys('rotate', id), 1, before);
    const { exitCode, stdout } = await adminKeys('rotate', key.id, '--overlap', '0s');
    assert.match(stdout, /^adminkey_\w{22}\tvendor-admin01-\w{49}\t\d{4}-[^\t]*Z\n$/);
    assert.deepEqual([exitCode, await statusOf(newSecret)], [0, 401]);
  });

  test('--workspace makes a key for one workspace, which list and the audit log show and rotate keeps', async () => {
    const { secret, ...key } = await created('--workspace', 'wrkspc_1', '--name', 'of a part');
    assert.equal(key.workspace_id, 'wrkspc_1');
    assert.equal((await answerTo(secret)).headers.get('vendor-scope'), 'workspace_id=wrkspc_1');
    const audit = await runCommand(['audit', '--format', 'jsonl'], { env: store.env });
    const entry = audit.stdout.split('\n').find(line => line.includes(key.id));
    assert.deepEqual(JSON.parse(String(entry)).details, { expires_at: null, workspace_id: 'wrkspc_1' });
    const { old, ...rotated } = JSON.parse((await adminKeys('rotate', key.id, '--json')).stdout);
    assert.deepEqual([old.workspace_id, rotated.workspace_id], ['wrkspc_1', 'wrkspc_1']);
    const rows = (await adminKeys('list')).stdout.split('\n').map(row => row.split('\t'));
    for (const { id } of [key, rotated]) assert.equal(rows.find(row => row[0] === id)?.at(-1), 'wrkspc_1');
  });

  test('an unknown organization or key is refused, wrong options are wrong usage, and nothing is created', async () => {
    const before = await listed();
    const unknownOrganization = /there is no organization\b.*: "keyroster organizations list" shows them/;
    const wrong: [code: 1 | 2, args: string[], message: RegExp][] = [
      [1, ['create', '--organization', 'org_unknown'], unknownOrganization],
      [1, ['list', '--organization', 'org_unknown'], unknownOrganization],
      [
        1,
        ['revoke', 'adminkey_unknown'],
        /there is no admin key\b.*: "keyroster admin-keys list" shows them/,
      ],
      [2, ['create'], /^keyroster: required option '--organization <id>' not specified/],
      [2, ['rotate', 'adminkey_1', '--overlap', '7'], /^keyroster: --overlap: must be a whole number with a/],
      [2, ['revoke', 'admin key'], /^keyroster: id: must be 1 to 255 of/],
      ...(
        [
          ['--name', '', /must not be empty; must be text of/],
          ['--expires-at', 'tomorrow', /must be an RFC 3339/],
          ['--expires-at', '2024-10-30T23:58:27Z', /must lie/],
          ['--vendor', 'Acme', /must be 1 to 32 of/],
          ['--workspace', '', /must be 1 to 255 of/],
          ['--networks', 'localhost', /must be addresses/],
        ] as const
      ).map(([option, value, rule]): [2, string[], RegExp] => [
        2,
        ['create', '--organization', store.organization, option, value],
        new RegExp(`^keyroster: ${option}: ${rule.source}`),
      ]),
    ];
    for (const [code, args, message] of wrong) assertFailed(await adminKeys(...args), code, message);
    assert.deepEqual(await listed(), before);
  });
});
