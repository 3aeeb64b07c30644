import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Finished } from '../../../support/command-line.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { suiteScope } from '../../../support/scope.ts';
import { numberedKeys, type SeededService, startSeededService } from '../../../support/seeded-service.ts';

const COUNT = 2_300;

describe('a filter that the operation does not have', () => {
  const scope = suiteScope();
  let listed: SeededService;

  before(async () => {
    listed = await startSeededService(scope, numberedKeys(COUNT));
  });

  async function list(...lines: string[][]): Promise<readonly Finished[]> {
    const env = { KEYROSTER_BASE_URL: listed.service.url, KEYROSTER_ADMIN_KEY: listed.secret };
    return Promise.all(lines.map(args => runCommand(['list', ...args], { env })));
  }

  const idsOf = ({ stdout }: Finished) =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map(line => line.split('\t')[0]);
  const numbered = (from: number, to: number, isMatch = (_: number) => true) =>
    Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => (from <= to ? from + index : from - index))
      .filter(isMatch)
      .map(number => `k${number}`);

  test('is applied to pages, until the page is full and it is known whether there is one more', async () => {
    const [some, exact, none] = await list(
      ['--name', 'key 15??', '--limit', '3'],
      ['--name', 'key 229?', '--limit', '10'],
      ['--name', 'nothing*'],
    );
    assert.deepEqual(idsOf(some as Finished), ['k1500', 'k1501', 'k1502']);
    assert.equal(
      some?.stderr,
      'read 2,000 keys to find 3\nthere are more: continue with --after k1502, or use --all\n',
    );
    assert.deepEqual(idsOf(exact as Finished), numbered(2290, 2299));
    assert.equal(exact?.stderr, 'read 2,300 keys to find 10\n');
    assert.deepEqual([none?.stdout, none?.stderr], ['', 'read 2,300 keys to find 0\nno key matches\n']);
  });

  test('combines with the others, with cursors and with every format', async () => {
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
    const [rows, before, json, csv, wide, jsonl] = await list(
      [...both, '--all'],
      [...both, '--before', 'k150', '--limit', '2'],
      [...both, '--after', 'k150', '--limit', '2', '--format', 'json'],
      ['--name', 'KEY ?', '--all', '--format', 'csv', '--columns', 'id'],
      ['--name', 'ｋＥY 9?', '--all', '--format', 'csv', '--columns', 'id'],
      ['--name', '*9*9', '--newer-than', '100d', '--format', 'jsonl'],
    );
    assert.deepEqual(idsOf(rows as Finished), numbered(100, 199, isMatch));
    assert.deepEqual(idsOf(before as Finished), ['k140', 'k145']);
    assert.match(
      before?.stderr ?? '',
      /^read \d+ keys to find 2\nthere are more: continue with --before k140,/,
    );
    const page = JSON.parse(json?.stdout ?? '');
    assert.deepEqual(
      [page.data.map(({ id }: { id: string }) => id), page.first_id, page.last_id, page.has_more],
      [['k155', 'k160'], 'k155', 'k160', true],
    );
    assert.equal(csv?.stdout, `id\n${numbered(0, 9).join('\n')}\n`);
    assert.equal(wide?.stdout, `id\n${numbered(90, 99).join('\n')}\n`);
    assert.match(jsonl?.stdout ?? '', /^\{"id":"k99",.*\}\n$/);
  });

  test('that contradicts another, or has no such value, is wrong usage', async () => {
    const finished = await list(['--workspace', 'wrkspc_1', '--default-workspace'], ['--name', '']);
    const messages = [
      /'--default-workspace' cannot be used with option '--workspace <id>'/,
      /--name: must be a pattern of 1 to 1000 characters/,
    ];
    for (const [index, { exitCode, stderr, stdout }] of finished.entries()) {
      assert.deepEqual([exitCode, stdout], [2, '']);
      assert.match(stderr, messages[index] as RegExp);
    }
  });
});
