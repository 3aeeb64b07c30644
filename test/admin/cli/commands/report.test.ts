import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { Status } from '../../../../src/shared/record/status.ts';
import { formatTimestamp } from '../../../../src/shared/record/timestamp.ts';
import { startStubService } from '../../../support/answering-service.ts';
import { assertFailed, runCommand, runOnTerminal } from '../../../support/run-many-commands.ts';
import { suiteScope } from '../../../support/scope.ts';
import { numberedKey, type SeededService, startSeededService } from '../../../support/seeded-service.ts';

const HOSTILE = '<img src=x onerror="alert(1)">&\u202e\u2028\t';

describe('report', () => {
  const scope = suiteScope();
  /** Keys that are 0 to 1199 days old, more than fit one page. */
  const keys = Array.from({ length: 1_200 }, (_, number) =>
    numberedKey(number, number === 4 || number === 5 ? { name: HOSTILE } : {}),
  );
  const activeKeys = keys.filter(({ status }) => status === 'active');
  let listed: SeededService;
  let env: Record<string, string>;
  const report = (...args: string[]) => runCommand(['report', ...args], { env });

  before(async () => {
    listed = await startSeededService(scope, keys);
    env = { KEYROSTER_BASE_URL: listed.service.url, KEYROSTER_ADMIN_KEY: listed.secret };
  });

  test('as JSON has the same figures as a count over all keys', async () => {
    const { stdout, stderr, exitCode } = await report('--format', 'json');
    assert.deepEqual([stderr, exitCode], ['', 0]);
    const found = JSON.parse(stdout);
    const count = (test: (key: (typeof keys)[number]) => boolean) => {
      const of = (status: Status) => keys.filter(key => key.status === status && test(key)).length;
      const statuses = { active: of('active'), inactive: of('inactive'), archived: of('archived') };
      return { keys: keys.filter(test).length, active: statuses.active, statuses };
    };
    assert.deepEqual([found.keys, found.active], [1_200, activeKeys.length]);
    assert.deepEqual(found.statuses, count(() => true).statuses);
    assert.equal(found.organization_id, listed.organization);
    for (const { status, ...counted } of found.by_status) {
      const { keys, active } = count(key => key.status === status);
      assert.deepEqual(counted, { keys, active }, status);
    }
    for (const { month, ...counted } of found.by_month)
      assert.deepEqual(
        counted,
        count(key => formatTimestamp(key.createdAt).startsWith(month)),
        month,
      );
    for (const { type, ...counted } of found.by_creator_type)
      assert.deepEqual(
        counted,
        count(key => key.createdBy.type === type),
        type,
      );
    assert.deepEqual(
      found.by_creator_type.map(({ type }: { type: string }) => type),
      ['user', 'service_account'],
    );
    for (const { workspace_id, ...counted } of found.by_workspace)
      assert.deepEqual(
        counted,
        count(key => key.workspaceId === workspace_id),
        String(workspace_id),
      );
    assert.equal(found.by_workspace.length, 5);
    assert.deepEqual(
      found.default_workspace,
      count(key => key.workspaceId === null),
    );
    for (const { creator, ...counted } of found.by_creator)
      assert.deepEqual(
        counted,
        count(key => key.createdBy.id === creator.id),
        creator.id,
      );
    assert.deepEqual(
      found.by_age.map((band: { keys: number }) => band.keys),
      [30, 60, 90, 185, 365, 470],
    );
    const oldest = activeKeys
      .slice(-10)
      .reverse()
      .map(({ id }) => id);
    assert.deepEqual(
      found.oldest_active_keys.map(({ id }: { id: string }) => id),
      oldest,
    );
    const { statuses, ...repeated } = found.repeated_names[0];
    assert.deepEqual(repeated, { name: HOSTILE, keys: 2, active: 2 });
    assert.deepEqual(statuses, { active: 2, inactive: 0, archived: 0 });
    assert.equal(found.repeated_names.length, 1);
    assert.deepEqual([found.policies, found.breaches], [[], []]);
  });

  test('lists every breach of a policy and exits with 1', async () => {
    const args = ['--max-age', '365d', '--no-default-workspace'];
    const { stdout, stderr, exitCode } = await report('--format', 'json', ...args);
    const { policies, breaches } = JSON.parse(stdout);
    const old = activeKeys.filter(key => Number(key.id.slice(1)) >= 365).map(({ id }) => id);
    const unplaced = activeKeys.filter(key => key.workspaceId === null).map(({ id }) => id);
    const of = (policy: string) =>
      breaches
        .filter((breach: { policy: string }) => breach.policy === policy)
        .map(({ api_key }: { api_key: { id: string } }) => api_key.id);
    assert.deepEqual(of('max-age'), old);
    assert.deepEqual(of('no-default-workspace'), unplaced);
    assert.deepEqual(
      policies.map(({ breaches }: { breaches: number }) => breaches),
      [old.length, unplaced.length],
    );
    assert.equal(
      stderr,
      `keyroster-admin: ${(old.length + unplaced.length).toLocaleString('en')} breach(es) of policy, 0 warning(s)\n`,
    );
    assert.equal(exitCode, 1);
    for (const format of ['table', 'html']) {
      const printed = await report('--format', format, ...args);
      assert.equal(printed.exitCode, 1);
      for (const id of [...old, ...unplaced]) assert.match(printed.stdout, new RegExp(`\\b${id}\\b`));
    }
  });

  test('exits with 0 when no key breaks a policy', async () => {
    const { stdout, stderr, exitCode } = await report('--max-age', '1201d');
    assert.deepEqual([stderr, exitCode], ['', 0]);
    assert.match(stdout, /\nmax-age: 0 key\(s\) active and older than 1201 days\n$/);
  });

  test('on a terminal draws bars within its width in colour, and in a pipe has tabs', async () => {
    for (const columns of [60, 80, 120]) {
      const shown = await runOnTerminal(['report'], { columns, env });
      assert(shown.includes('\x1b[32m█'), 'the output has no colour');
      const lines = stripVTControlCharacters(shown).split('\n');
      const active = lines.find(line => line.startsWith('active'));
      assert.match(String(active), /^active +800 +800 {2}█+$/);
      for (const line of lines) assert([...line].length <= columns, `${columns}: ${line}`);
    }
    const { stdout } = await report();
    assert(!stdout.includes('\x1b') && !stdout.includes('\u202e'));
    assert.match(stdout, /\ninactive\t400\t0\n/);
    assert.match(stdout, /\nand \d+ more\n|\nNames used more than once\n/);
  });

  test('as HTML is one page that loads nothing and shows names as text', async () => {
    const { stdout } = await report('--format', 'html', '--no-default-workspace');
    assert.match(stdout, /^<!doctype html>/);
    assert(stdout.includes('<bdi>&#60;img src=x onerror=&#34;alert(1)&#34;&#62;&#38;'));
    const elements = new Set([...stdout.matchAll(/<([a-z]\w*)/g)].map(([, element]) => element));
    for (const element of ['script', 'img', 'link', 'iframe', 'object'])
      assert(!elements.has(element), element);
    assert.doesNotMatch(stdout, /\b(src|href)=["']|url\(|@import|https?:/);
    assert.match(stdout, /default-src 'none'/);
    assert.match(stdout, /@media print/);
    assert.match(stdout, /prefers-color-scheme: dark/);
    assert.match(stdout, /<svg [^>]*aria-label="800 of 800 active"/);
  });

  test('for an empty roster prints no NaN, undefined or Infinity', async () => {
    const url = await startStubService(scope, []);
    const empty = { ...env, KEYROSTER_BASE_URL: url };
    for (const format of ['table', 'json', 'html']) {
      const { exitCode, stdout } = await runCommand(['report', '--format', format], { env: empty });
      assert.equal(exitCode, 0);
      assert.doesNotMatch(stdout, /NaN|undefined|Infinity/);
    }
  });

  test('fails when a record is invalid, so that no report covers only part of the roster', async () => {
    const [first] = (await listed.client().apiKeys.list({ limit: 1 })).data;
    const url = await startStubService(scope, [{ ...first, created_at: 'yesterday' }]);
    const finished = await runCommand(['report'], { env: { ...env, KEYROSTER_BASE_URL: url } });
    assertFailed(finished, 1, /lists k0 with a created_at that is not a timestamp/);
    for (const wrong of ['365', '1y', '-1d', ''])
      assertFailed(await report('--max-age', wrong), 2, /--max-age: must be a number of days such as 365d/);
    assertFailed(await report('--exact'), 2, /--exact: is for CSV, and there is none/);
    const saved = { input: `${JSON.stringify(first)}\n` };
    const ofSaved = (...args: string[]) => runCommand(['report', '--file', '-', '--exact', ...args], saved);
    assertFailed(await ofSaved(), 2, /--exact: is for CSV, and there is none/);
    assert.equal((await ofSaved('--max-age', '9999d', '--format', 'csv')).exitCode, 0);
  });
});
