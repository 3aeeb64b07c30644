/** Keys of three organizations over two services, of which one is not Keyroster. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { WorkspaceId } from '../../../src/shared/record/identifier.ts';
import { startAnsweringService } from '../../support/answering-service.ts';
import { assertNoTrace } from '../../support/canaries.ts';
import {
  type Form,
  hintOf,
  type Key,
  recordOf,
  startFormedService,
  timeOf,
} from '../../support/formed-service.ts';
import { freePort } from '../../support/free-port.ts';
import { createAdminKey, createOrganization, importKeys, sqlite } from '../../support/roster.ts';
import { assertFailed, runCommand, runOnTerminal } from '../../support/run-many-commands.ts';
import { atEndOf, suiteScope, temporaryFolder } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';
import { serveStore } from '../../support/service.ts';

/** A key as it is, whatever its service tells of it. */
interface Truth {
  readonly profile: string;
  readonly id: string;
  readonly name: string;
  readonly createdMs: number;
  readonly creator: string;
  readonly workspace: string | null;
  readonly status: string;
}

const DAY_MS = 86_400_000;
/** Oldest first, seven a page, an order of filters that is refused, ignored or honoured, and other words for errors. */
const FORM: Form = {
  ...{ order: 'oldest', time: 'offset', status: 'all', workspace: 'all', creator: 'all', hint: '****' },
  filters: {
    ...{ status: 'refused', workspace_id: 'ignored', created_by_user_id: 'honoured' },
    ...{ created_from: 'refused', created_before: 'ignored' },
  },
  ...{ refusal: 2, refusedStatus: 422, cursor: 404, ends: false, maxLimit: 7, ignoresLimit: false },
};
const ADMIN_KEY = 'an-admin-key-of-its-own-form';

describe('several services at once', () => {
  const scope = suiteScope();
  const config = temporaryFolder(scope);
  const keysOf = (count: number, label: string) =>
    Array.from({ length: count }, (_, number) =>
      numberedKey(number * 7, { name: `${label} ${number % 10}` }),
    );
  const ofKeyroster = { one: keysOf(30, 'Key'), two: keysOf(12, 'Job') };
  const formed = Array.from(
    { length: 23 },
    (_, number): Key => ({
      ...{ number, id: `key/${number}`, second: number * 86_400, creator: 'auth0|1' },
      status: number % 4 === 0 ? 'archived' : 'active',
      workspace: number % 5 === 0 ? null : 'wrkspc_1',
    }),
  );
  const truth: readonly Truth[] = [
    ...(['one', 'two'] as const).flatMap(profile =>
      ofKeyroster[profile].map(({ id, name, createdAt, createdBy, workspaceId, status }) => ({
        ...{ profile, id, name, status, workspace: workspaceId },
        ...{ createdMs: Number(createdAt / 1_000n), creator: createdBy.id },
      })),
    ),
    ...formed.map(({ id, number, second, creator, workspace, status }) => ({
      ...{ profile: 'vendor', id, name: `Key ${number}`, creator, workspace, status },
      createdMs: Date.parse(timeOf(second)),
    })),
  ];
  const count = (passes: (key: Truth) => boolean) => truth.filter(passes).length;
  const shownOf = ({ profile, id }: Pick<Truth, 'profile' | 'id'>) => `${profile} ${id}`;
  let urls: Record<string, string>;
  let secret: string;
  let env: Record<string, string>;

  function keep(folder: string, profiles: Readonly<Record<string, object>>): Record<string, string> {
    const path = join(folder, 'keyroster', 'profiles');
    mkdirSync(path, { recursive: true });
    for (const [name, profile] of Object.entries(profiles)) {
      const kept = { vendor: 'vendor', admin_key: ADMIN_KEY, ...profile };
      writeFileSync(join(path, `${name}.json`), JSON.stringify(kept), { mode: 0o600 });
    }
    return { XDG_CONFIG_HOME: folder };
  }

  before(async () => {
    const store = await sqlite.create();
    atEndOf(scope, () => store.remove());
    const writer = await store.openWriter();
    const [one, two] = [await createOrganization(writer), await createOrganization(writer)];
    await importKeys(writer, one.id, ofKeyroster.one);
    await importKeys(writer, two.id, ofKeyroster.two);
    const part = await createAdminKey(writer, one.id, { scope: { workspaceId: 'wrkspc_1' as WorkspaceId } });
    await writer.close();
    const keyroster = await serveStore(scope, store);
    secret = one.secret;
    urls = {
      keyroster: keyroster.url,
      vendor: await startFormedService(scope, () => ({ form: FORM, keys: formed })),
    };
    env = keep(config, {
      one: { base_url: urls.keyroster, admin_key: one.secret },
      two: { base_url: urls.keyroster, admin_key: two.secret },
      vendor: { base_url: urls.vendor },
    });
    keep(join(config, 'part'), { part: { base_url: urls.keyroster, admin_key: part } });
  });

  const run = async (args: readonly string[], input = '', more: Record<string, string> = {}) => {
    const finished = await runCommand(args, { env: { ...env, ...more }, input });
    assertNoTrace([secret, ADMIN_KEY], finished.stdout + finished.stderr, args.join(' '));
    return finished;
  };
  const recordsIn = (stdout: string) =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line));

  const ofDays = (key: Truth) => (Date.now() - key.createdMs) / DAY_MS;
  const questions: readonly [args: readonly string[], passes: (key: Truth) => boolean][] = [
    [[], () => true],
    [['--status', 'active'], key => key.status === 'active'],
    [['--older-than', '40d'], key => ofDays(key) > 40],
    [['--newer-than', '40d'], key => ofDays(key) < 40],
    [['--workspace', 'wrkspc_1'], key => key.workspace === 'wrkspc_1'],
    [['--default-workspace'], key => key.workspace === null],
    [['--creator', 'user_1', 'auth0|1'], key => ['user_1', 'auth0|1'].includes(key.creator)],
    [['--name', 'key 1*', '--status', 'active'], key => /^Key 1/.test(key.name) && key.status === 'active'],
  ];
  for (const [args, passes] of questions)
    test(`list ${args.join(' ')} has the keys of each, and each says whose it is`, async () => {
      const { stdout, stderr, exitCode } = await run([
        'list',
        '--all-profiles',
        '--all',
        '--format',
        'jsonl',
        ...args,
      ]);
      const expected = truth.filter(passes).map(shownOf);
      assert.deepEqual(recordsIn(stdout).map(shownOf).toSorted(), expected.toSorted(), stderr);
      assert.equal(exitCode, 0, stderr);
    });

  test('a key is as its service has sent it, behind its profile', async () => {
    const { stdout } = await run(['list', '-p', 'vendor,two', '--all', '--format', 'jsonl']);
    const [first] = recordsIn(stdout);
    assert.deepEqual(Object.keys(first)[0], 'profile');
    assert.deepEqual(first, { profile: 'vendor', ...recordOf(FORM, formed[0] as Key) });
  });

  test('CSV has the fields of all services, and a table the profile first', async () => {
    const csv = await run(['list', '--all-profiles', '--all', '--format', 'csv']);
    const [heading = '', ...rows] = csv.stdout.trimEnd().split('\n');
    assert.match(heading, /^id,name,.*,workspace_id,profile,extra$/);
    assert.equal(rows.length, truth.length);
    assert.match(rows.at(-1) ?? '', /,vendor,"\{""of""/);
    const chosen = ['list', '--all-profiles', '--all', '--format', 'csv', '--columns', 'profile,extra'];
    assert.match((await run(chosen)).stdout, /^profile,extra\none,\n/);
    const table = ['list', '-p', 'two,vendor', '--all'];
    assert.match((await run(table)).stdout, /^two\tk0\tJob 0\t/);
    assert.match(
      await runOnTerminal(table, { columns: 120, env: { ...env, NO_COLOR: '1' } }),
      /^PROFILE +ID +NAME .*\ntwo +k0 +Job 0 /,
    );
  });

  test('a report has the figures of all and of each, and judges all by the policies', async () => {
    const args = ['report', '--all-profiles', '--max-age', '40d'];
    const json = await run([...args, '--format', 'json']);
    const { keys, active, by_profile, breaches, missing } = JSON.parse(json.stdout);
    assert.deepEqual([keys, active], [truth.length, count(({ status }) => status === 'active')]);
    for (const each of by_profile) {
      const own = truth.filter(({ profile }) => profile === each.profile);
      assert.equal(each.keys, own.length);
      assert.equal(each.active, own.filter(({ status }) => status === 'active').length);
      assert.equal(each.organization_id === null, each.profile === 'vendor');
      assert.equal(each.by_status[0].keys, each.active);
    }
    const expected = truth.filter(key => key.status === 'active' && ofDays(key) > 40).map(shownOf);
    assert.deepEqual(
      breaches.map(({ api_key }: { api_key: Truth }) => shownOf(api_key)).toSorted(),
      expected.toSorted(),
    );
    assert.deepEqual([json.exitCode, missing], [4, []]);
    const text = (await run(args)).stdout;
    assert.match(text, /^API keys of one; two; vendor, \d{4}-/);
    assert.match(text, /\nBy profile\n.*\none of org_\w+\t30\t20\ntwo of org_\w+\t12\t\d+\nvendor\t23\t17\n/);
    assert.match(text, /\nBreaches of max-age\nPROFILE\tID\t.*\none\tk49\t/);
    const html = (await run([...args, '--format', 'html'])).stdout;
    assert.match(html, /65 key\(s\) of the services of one, two, vendor were looked at/);
    const csv = (await run([...args, '--format', 'csv'])).stdout.trimEnd().split('\n');
    assert.match(csv[0] ?? '', /,workspace_id,profile,extra,level,policies$/);
    assert.equal(csv.length - 1, expected.length);
  });

  test('find tells of each key of a text whose it is, and takes no ID of a service for a key', async () => {
    const [, , third] = formed;
    const leaked = hintOf(FORM, third as Key).replace(/\*+/, 'Q7xW9kP2mT5vB8nL');
    const found = await run(['find', '--all-profiles', '--format', 'jsonl'], leaked);
    assert.deepEqual(recordsIn(found.stdout).map(shownOf), ['vendor key/2']);
    assert.match(found.stderr, /^vendor: key\/2, "Key 2", of auth0\|1, .* It is ACTIVE/m);
    assert.equal(found.exitCode, 0);
    const both = await run(['find', 'k7', '--all-profiles', '--format', 'jsonl']);
    assert.deepEqual(recordsIn(both.stdout).map(shownOf), ['one k7', 'two k7']);
    assert.equal((await run(['find', '-p', 'one,two'], leaked)).exitCode, 4);
  });

  test('one that is away is told, the others are answered, and nothing says that all is well', async () => {
    const away = { base_url: `http://127.0.0.1:${await freePort()}` };
    const more = keep(temporaryFolder(scope), {
      one: { base_url: urls.keyroster, admin_key: secret },
      away,
      refused: { base_url: urls.keyroster, admin_key: ADMIN_KEY },
      vendor: { base_url: urls.vendor },
    });
    const told = /^keyroster-admin: not all keys of away were read: .*127\.0\.0\.1:\d+: ECONNREFUSED$/m;
    const others = truth.filter(({ profile }) => profile !== 'two').length;
    const list = await run(['list', '--all-profiles', '--all', '--format', 'json'], '', more);
    const { data, has_more } = JSON.parse(list.stdout);
    assert.deepEqual([data.length, has_more, list.exitCode], [others, true, 1], list.stderr);
    assert.match(list.stderr, told);
    assert.match(
      list.stderr,
      /^keyroster-admin: not all keys of refused were read: .*\(authentication_error, req_/m,
    );
    const report = await run(['report', '-p', 'one,away', '--max-age', '9999d'], '', more);
    assert.match(report.stdout, /^API keys of one; away; not all keys of away were read, /);
    assert.match(report.stderr, told);
    assert.equal(report.exitCode, 1);
    const none = await run(['find', '-p', 'away,one'], 'sk-any-0QxQ7xW9kP2mT5vB8nL0000', more);
    assert.match(
      none.stderr,
      /\nno key was found that fits \S+: 30 were read;.*\nthere may be more in away\n$/,
    );
    const found = await run(['find', '-p', 'away,one', 'k7'], '', more);
    assert.deepEqual([none.exitCode, found.exitCode], [1, 1]);
    assert.match(found.stdout, /^one\tk7\t/);
    const nothing = await run(['list', '-p', 'away,refused', '--all'], '', more);
    assert.match(nothing.stderr, /\nkeyroster-admin: no service has answered\n$/);
    assert.deepEqual([nothing.exitCode, nothing.stdout], [1, '']);
  });

  test('what was read of one that fails on the way counts, and is not taken for all', async () => {
    const breaking = await startAnsweringService(scope, (request, response) => {
      const isFirst = !request.url?.includes('after_id');
      const body = isFirst ? { data: [{ id: 'k1', name: 'first' }], has_more: true } : { error: 'broken' };
      response.writeHead(isFirst ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
    const more = keep(temporaryFolder(scope), {
      breaking: { base_url: breaking },
      vendor: { base_url: urls.vendor },
    });
    const { stdout, stderr, exitCode } = await run(
      ['report', '--all-profiles', '--format', 'json'],
      '',
      more,
    );
    const { keys, missing } = JSON.parse(stdout);
    assert.deepEqual([keys, missing, exitCode], [formed.length + 1, ['breaking'], 1], stderr);
  });

  test('a report says what part an admin key sees of its organization', async () => {
    const more = { XDG_CONFIG_HOME: join(config, 'part') };
    const { stdout, stderr, exitCode } = await run(['report', '--all-profiles'], '', more);
    assert.match(
      stdout,
      /^API keys of part, only workspace_id=wrkspc_1, \d{4}-(.*\n)+part of org_\w+\t6\t4\n/,
    );
    assert.match(stderr, /^part: only workspace_id=wrkspc_1 was read: the admin key sees no more$/m);
    assert.equal(exitCode, 0);
  });

  test('the directory has those of all profiles', async () => {
    const folder = temporaryFolder(scope);
    const files = ['ann', 'bob'].map(name => join(folder, `${name}.csv`));
    writeFileSync(String(files[0]), 'id,mail,left_on\nuser_1,ann@example.com,2020-01-01\n');
    writeFileSync(String(files[1]), 'id,mail,left_on\nauth0|1,bob@example.com,\n');
    const more = keep(folder, {
      one: { base_url: urls.keyroster, admin_key: secret, directory: files[0] },
      vendor: { base_url: urls.vendor, directory: files[1] },
    });
    const args = ['list', '--all-profiles', '--all', '--format', 'jsonl'];
    const left = await run([...args, '--left'], '', more);
    const ofAnn = truth.filter(key => key.profile === 'one' && key.creator === 'user_1');
    assert.equal(recordsIn(left.stdout).length, ofAnn.length);
    const bob = await run([...args, '--creator', 'bob@example.com'], '', more);
    assert.equal(recordsIn(bob.stdout).length, formed.length);
    assert.match(bob.stderr, /^the directory knows 2 of 3 creators, 1 of them left$/m);
  });

  test('a dozen of them make no other noise', async () => {
    const names = Array.from({ length: 12 }, (_, number) => [`n${number}`, { base_url: urls.vendor }]);
    const more = keep(temporaryFolder(scope), Object.fromEntries(names));
    const { stdout, stderr } = await run(['list', '--all-profiles', '--all'], '', more);
    assert.equal(stdout.trimEnd().split('\n').length, 12 * formed.length);
    assert.equal(stderr, '');
  });

  test('what is of one service is refused, and so is a page', async () => {
    const two = ['report', '-p', 'one,two'];
    const ofOne = /are of one service, and several profiles are asked: leave them out/;
    assertFailed(await run([...two, '--base-url', 'http://127.0.0.1:1']), 2, ofOne);
    assertFailed(await run([...two, '--admin-key-file', '-']), 2, ofOne);
    assertFailed(await run(two, '', { KEYROSTER_ADMIN_KEY: 'a-key' }), 2, ofOne);
    assertFailed(await run(two, '', { KEYROSTER_VENDOR: 'other' }), 2, ofOne);
    const whole = /several services are listed whole: give --all, without --after or --before/;
    assertFailed(await run(['list', '--all-profiles']), 2, whole);
    assertFailed(await run(['list', '-p', 'one,two', '--all', '--after', 'k7']), 2, whole);
    assertFailed(
      await run(['report', '-p', 'one,no-such']),
      1,
      /there is no profile no-such: the profiles are one/,
    );
    assertFailed(
      await run(['report', '-p', 'one,']),
      2,
      /--profile: must be 1 to 32 of .*; list, report and find take several names/,
    );
    assertFailed(await run([...two, '--file', 'roster.jsonl']), 2, /--profile: is of a service/);
    const empty = { XDG_CONFIG_HOME: temporaryFolder(scope) };
    assertFailed(
      await run(['report', '--all-profiles'], '', empty),
      2,
      /there are no profiles: keyroster-admin login/,
    );
  });
});
