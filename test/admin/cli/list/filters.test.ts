import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { filterParameters } from '../../../../src/admin/cli/list/filter-options.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { suiteScope } from '../../../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../../../support/seeded-service.ts';

describe('a list that is filtered', () => {
  const scope = suiteScope();
  let listed: SeededService;
  before(async () => {
    listed = await startSeededService(scope, numberedKeys(2_300));
  });

  const run = (args: readonly string[]) =>
    runCommand(['list', ...args], {
      env: { KEYROSTER_BASE_URL: listed.service.url, KEYROSTER_ADMIN_KEY: listed.secret },
    });
  async function list(...args: string[]) {
    const { stdout, ...finished } = await run([...args, '--format', 'csv', '--columns', 'id']);
    return { ids: stdout.split('\n').slice(1, -1), ...finished };
  }
  const requests = () => listed.service.logText().match(/"route":"[^"]*api_keys"/g)?.length ?? 0;

  test('by age is asked of the service, page by page and back', async () => {
    const page = await list('--older-than', '20d', '--limit', '3');
    assert.deepEqual(page.ids, ['k20', 'k21', 'k22']);
    assert.equal(page.stderr, 'there are more: continue with --after k22, or use --all\n');
    const all = await list('--newer-than', '30d', '--all', '--limit', '7');
    assert.deepEqual([all.ids, all.stderr], [listed.ids.slice(0, 30), '']);
    const back = await list('--older-than', '20d', '--newer-than', '30d', '--all', '--before', 'k49');
    assert.deepEqual([back.ids, back.stderr], [listed.ids.slice(20, 30).toReversed(), '']);
    assert.equal(requests(), 1 + 5 + 1);
  });

  test('takes a key of exactly an age neither for older nor for newer', t => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-24T12:00:00.250Z') });
    assert.deepEqual(filterParameters({ olderThan: '1d', newerThan: '2d' }), {
      status: undefined,
      workspace_id: undefined,
      created_before: '2026-11-23T12:00:00.250000Z',
      created_from: '2026-11-22T12:00:00.250001Z',
    });
  });

  test('by a date is so from its first moment on, or by a time', () => {
    const { created_from, created_before } = filterParameters({
      newerThan: '2025-03-01',
      olderThan: '2025-03-02T01:00:00.5+01:00',
    });
    assert.deepEqual(
      [created_from, created_before],
      ['2025-03-01T00:00:00.000000Z', '2025-03-02T00:00:00.500000Z'],
    );
  });

  test('by what the service does not filter by is read until it is full and it is known whether there is one more', async () => {
    const some = await list('--name', 'key 15??', '--limit', '3');
    assert.deepEqual(some.ids, ['k1500', 'k1501', 'k1502']);
    assert.equal(
      some.stderr,
      'read 2,000 keys to find 3\nthere are more: continue with --after k1502, or use --all\n',
    );
    const exact = await list('--name', 'ｋＥY 229?', '--limit', '10');
    assert.deepEqual([exact.ids, exact.stderr], [listed.ids.slice(2290), 'read 2,300 keys to find 10\n']);
    const none = await list('--name', 'nothing*');
    assert.deepEqual([none.ids, none.stderr], [[], 'read 2,300 keys to find 0\nno key matches\n']);
  });

  test('combines filters of both kinds with cursors and with every format', async () => {
    const both = [
      '--older-than',
      '100d',
      '--newer-than',
      '200d',
      '--default-workspace',
      '--status',
      'active',
    ];
    const isMatch = (number: number) => number % 5 === 0 && number % 3 !== 0;
    const expected = listed.ids.slice(100, 200).filter((_, index) => isMatch(100 + index));
    assert.deepEqual((await list(...both, '--all')).ids, expected);
    const back = await list(...both, '--before', 'k150', '--limit', '2');
    assert.deepEqual(back.ids, ['k140', 'k145']);
    assert.match(back.stderr, /^read \d+ keys to find 2\nthere are more: continue with --before k140,/);
    const json = await run([...both, '--after', 'k150', '--limit', '2', '--format', 'json']);
    const { data, ...page } = JSON.parse(json.stdout);
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      ['k155', 'k160'],
    );
    assert.deepEqual(page, { first_id: 'k155', last_id: 'k160', has_more: true });
    const jsonl = await run(['--name', '*9*9', '--newer-than', '100d', '--format', 'jsonl']);
    assert.match(jsonl.stdout, /^\{"id":"k99",.*\}\n$/);
  });

  test('that no key can pass, or by no such value, is wrong usage', async () => {
    for (const [args, message] of [
      [['--older-than', '30d', '--newer-than', '30d'], /--older-than: must be less than --newer-than/],
      [['--expired', '--status', 'inactive'], /--expired: only active keys expire/],
      [['--older-than', 'a month'], /--older-than: must be a whole number with a unit/],
      [['--older-than', '6m'], /--older-than: m is minutes: give days, such as 30d/],
      [['--unused-for', '3m'], /--unused-for: m is minutes/],
      [['--expires-within', '1m'], /--expires-within: m is minutes/],
      [['--workspace', 'w', '--default-workspace'], /'--default-workspace' cannot be used with option/],
      [['--name', ''], /--name: must be a pattern of 1 to 1000 characters/],
    ] as const)
      assertFailed(await run(args), 2, message);
  });
});
