import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { filterParameters } from '../../../../src/admin/cli/list/filter-options.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { suiteScope } from '../../../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../../../support/seeded-service.ts';

const COUNT = 50;

describe('a filter by age', () => {
  const scope = suiteScope();
  let listed: SeededService;
  before(async () => {
    listed = await startSeededService(scope, numberedKeys(COUNT));
  });

  async function list(...args: string[]) {
    const env = { KEYROSTER_BASE_URL: listed.service.url, KEYROSTER_ADMIN_KEY: listed.secret };
    const { stdout, ...finished } = await runCommand(
      ['list', ...args, '--format', 'csv', '--columns', 'id'],
      {
        env,
      },
    );
    return { ids: stdout.split('\n').slice(1, -1), ...finished };
  }

  test('is asked of the service, page by page and back', async () => {
    const page = await list('--older-than', '20d', '--limit', '3');
    assert.deepEqual(page.ids, ['k20', 'k21', 'k22']);
    assert.equal(page.stderr, 'there are more: continue with --after k22, or use --all\n');
    const all = await list('--newer-than', '30d', '--all', '--limit', '7');
    assert.deepEqual([all.ids, all.stderr], [listed.ids.slice(0, 30), '']);
    const back = await list('--older-than', '20d', '--newer-than', '30d', '--all', '--before', 'k49');
    assert.deepEqual([back.ids, back.stderr], [listed.ids.slice(20, 30).toReversed(), '']);
    const none = await list('--older-than', '36500d');
    assert.deepEqual([none.ids, none.stderr], [[], 'no key matches\n']);
    const requests = listed.service.logText().match(/"route":"[^"]*api_keys"/g);
    assert.equal(requests?.length, 1 + 5 + 1 + 1);
  });

  test('takes a key of exactly this age neither for older nor for newer', t => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-24T12:00:00.250Z') });
    assert.deepEqual(filterParameters({ olderThan: '1d', newerThan: '2d' }), {
      status: undefined,
      workspace_id: undefined,
      created_before: '2026-11-23T12:00:00.250000Z',
      created_from: '2026-11-22T12:00:00.250001Z',
    });
  });

  test('may be a date, from its first moment on, or a time', () => {
    const { created_from, created_before } = filterParameters({
      newerThan: '2025-03-01',
      olderThan: '2025-03-02T01:00:00.5+01:00',
    });
    assert.deepEqual(
      [created_from, created_before],
      ['2025-03-01T00:00:00.000000Z', '2025-03-02T00:00:00.500000Z'],
    );
  });

  test('that no key can pass, or that is no duration, is wrong usage', async () => {
    for (const [args, message] of [
      [['--older-than', '30d', '--newer-than', '30d'], /--older-than: must be less than --newer-than/],
      [['--expired', '--status', 'inactive'], /--expired: only active keys expire/],
      [['--older-than', 'a month'], /--older-than: must be a whole number with a unit/],
      [['--newer-than', '-1d'], /--newer-than: must be a whole number with a unit/],
    ] as const) {
      const { exitCode, stderr, ids } = await list(...args);
      assert.deepEqual([exitCode, ids], [2, []]);
      assert.match(stderr, message);
    }
  });
});
