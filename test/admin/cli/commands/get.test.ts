import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { apiKeyCanary, assertNoTrace, shortApiKeyCanary } from '../../../support/canaries.ts';
import { record } from '../../../support/import-file.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { suiteScope } from '../../../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../../../support/seeded-service.ts';

describe('get', () => {
  const scope = suiteScope();
  let listed: SeededService;
  let env: Record<string, string>;
  const get = (...args: string[]) => runCommand(['get', ...args], { env });
  const idsIn = (stdout: string) =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line).id);

  before(async () => {
    listed = await startSeededService(scope, numberedKeys(30));
    env = { KEYROSTER_BASE_URL: listed.service.url, KEYROSTER_ADMIN_KEY: listed.secret };
  });

  test('prints the records of the IDs in their order, the newest and the oldest key too', async () => {
    const { stdout, stderr, exitCode } = await get('k29', 'k0', 'k7', 'k0', '--format', 'jsonl');
    assert.deepEqual([idsIn(stdout), stderr, exitCode], [['k29', 'k0', 'k7'], '', 0]);
  });

  test('prints a key exactly as list does, in each format', async () => {
    for (const format of ['table', 'json', 'jsonl', 'csv'] as const) {
      const [got, all] = await Promise.all([
        get('k0', '--format', format),
        runCommand(['list', '--limit', '1', '--format', format], { env }),
      ]);
      assert.equal(got.stdout, all.stdout.replace('"has_more":true', '"has_more":false'));
    }
    assert.equal((await get('k3', '--columns', 'id,status')).stdout, 'k3\tinactive\n');
  });

  test('names the IDs that no key has, prints the others, and exits with 4', async () => {
    const { stdout, stderr, exitCode } = await get('nokey', 'k1', 'k30', '--format', 'jsonl');
    assert.deepEqual(idsIn(stdout), ['k1']);
    assert.equal(stderr, 'no API key has the ID nokey\nno API key has the ID k30\n');
    assert.equal(exitCode, 4);
  });

  test('fails, and calls no ID unknown, where the service refuses something else', async () => {
    const failed = await runCommand(['get', 'k1', '--vendor', 'acme'], { env });
    assertFailed(failed, 1, /acme-version|vendor-version/);
  });

  test('finds a key while others are made beside it', async t => {
    const roster = ['k3', 'k2', 'k1'];
    let made = 0;
    const url = await startAnsweringService(t, (request, response) => {
      const query = new URL(request.url ?? '', 'http://stub').searchParams;
      const [before, after] = [query.get('before_id'), query.get('after_id')];
      const place = roster.indexOf(before ?? after ?? '');
      const rest = before === null ? roster.slice(place + 1) : roster.slice(0, place).slice(-1);
      const time = (id: string) => `2024-10-${String(30 - roster.indexOf(id)).padStart(2, '0')}T00:00:00Z`;
      const data = rest.slice(0, 1).map(id => record(id, { created_at: time(id) }));
      response.setHeader('content-type', 'application/json');
      const [first_id, last_id] = [data.at(0)?.id ?? null, data.at(-1)?.id ?? null];
      response.end(JSON.stringify({ data, first_id, last_id, has_more: rest.length > 1 }));
      made += 1;
      if (made <= 5 && made % 2 === 1) roster.splice(roster.indexOf('k3'), 0, `new${made}`);
    });
    const { stdout, exitCode } = await runCommand(['get', 'k3', '--format', 'jsonl'], {
      env: { ...env, KEYROSTER_BASE_URL: url },
    });
    assert.deepEqual([idsIn(stdout), exitCode], [['k3'], 0]);
  });

  test('neither sends nor repeats what looks like a full key', async t => {
    const seen: string[] = [];
    const url = await startAnsweringService(t, (request, response) => {
      seen.push(String(request.url));
      response.end();
    });
    const labelled = ['sk_live_abcdefghijklmnopqrstuvwx', `ghp_${'a'.repeat(36)}`, 'AKIAIOSFODNN7EXAMPLE'];
    for (const key of [apiKeyCanary().key, shortApiKeyCanary(), listed.secret, ...labelled]) {
      const { stdout, stderr, exitCode } = await runCommand(['get', 'k1', key], {
        env: { ...env, KEYROSTER_BASE_URL: url },
      });
      assert.equal(exitCode, 2);
      assertNoTrace([key], stdout + stderr, 'the output');
    }
    assert.deepEqual(seen, []);
  });
});
