import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { ApiKey } from '../../../../src/service/roster/api-key.ts';
import { formatTimestamp, parseTimestamp, type Timestamp } from '../../../../src/shared/record/timestamp.ts';
import { record } from '../../../support/import-file.ts';
import { lifecycleFields, lifecycleKeys } from '../../../support/lifecycle-keys.ts';
import { now } from '../../../support/roster.ts';
import { runCommand, runOnTerminal } from '../../../support/run-many-commands.ts';
import { suiteScope, temporaryFolder } from '../../../support/scope.ts';
import { numberedKeys, startSeededService } from '../../../support/seeded-service.ts';

const COUNT = 1_300;
const DAY = 86_400_000_000n;

describe('keys that expire and that are used', () => {
  const scope = suiteScope();
  let env: Record<string, string>;
  let folder: string;
  const keys = lifecycleKeys(COUNT);
  const run = (...args: string[]) => runCommand(args, { env });

  before(async () => {
    folder = temporaryFolder(scope);
    const { service, secret } = await startSeededService(scope, keys, lifecycleFields);
    env = { KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY: secret };
  });

  /** The model: a filter over the array. */
  const time = ({ declared }: ApiKey, index: number) => parseTimestamp(declared?.[index]?.value) ?? null;
  const idsWhere = (passes: (key: ApiKey, expires: Timestamp | null, used: Timestamp) => boolean) =>
    keys
      .filter(key => passes(key, time(key, 0), (time(key, 1) ?? key.createdAt) as Timestamp))
      .map(({ id }) => id as string);
  const idsOf = (stdout: string) =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map(line => line.split('\t')[0]);
  const isExpired = (expires: Timestamp | null) => expires !== null && expires <= now();

  test('are listed by when they expire and by how long nobody used them, as far as the service has to be read', async () => {
    const soon = idsWhere(
      ({ status }, expires) =>
        status === 'active' && expires !== null && !isExpired(expires) && expires <= now() + 30n * DAY,
    );
    const expired = idsWhere(({ status }, expires) => status === 'active' && isExpired(expires));
    const unused = idsWhere(
      ({ status, createdAt }, _, used) =>
        status === 'active' && used < now() - 90n * DAY && createdAt < now() - 90n * DAY,
    );
    const inactive = idsWhere(
      ({ status, createdAt }, _, used) =>
        status === 'inactive' && used < now() - 90n * DAY && createdAt < now() - 400n * DAY,
    );
    assert(Math.min(soon.length, expired.length, unused.length, inactive.length) > 10);
    const lines = [
      [['--expires-within', '30d'], soon],
      [['--expired'], expired],
      [['--unused-for', '90d'], unused],
      [['--unused-for', '90d', '--status', 'inactive', '--older-than', '400d'], inactive],
      [['--unused-for', '90d', '--expired'], expired.filter(id => unused.includes(id))],
    ] as const;
    const found = await Promise.all(lines.map(([args]) => run('list', '--all', ...args)));
    for (const [index, { stdout, exitCode }] of found.entries())
      assert.deepEqual([exitCode, idsOf(stdout)], [0, lines[index]?.[1]], `${lines[index]?.[0]}`);
    const read = keys.filter(({ status, createdAt }) => status === 'active' && createdAt < now() - 90n * DAY);
    assert.equal(
      found[2]?.stderr,
      `read ${read.length.toLocaleString('en')} keys to find ${unused.length}\n`,
    );
  });

  test('are told apart from active ones where a person reads the status, and stay as they are for programs', async () => {
    const id = idsWhere(({ status }, expires) => status === 'active' && isExpired(expires))[0] ?? '';
    const [table, csv, find] = await Promise.all([
      run('get', id, '--columns', 'id,status'),
      run('get', id, '--format', 'csv', '--columns', 'id,status'),
      run('find', id),
    ]);
    assert.deepEqual([table.stdout, csv.stdout], [`${id}\texpired\n`, `id,status\n${id},active\n`]);
    assert.match(find.stderr, /\. It has expired: it gives no access, unless/);
    const screen = stripVTControlCharacters(
      await runOnTerminal(['list', '--limit', '3'], { env, columns: 140 }),
    );
    assert.match(screen, /AGE +EXPIRES +USED +CREATOR/);
    assert.match(screen, /expired +\S+ +\d+d +\d+d ago +\d+d ago/);
  });

  test('a report counts the expired ones and those that soon will be, and policies judge by both times', async () => {
    const policies = join(folder, 'policies.json');
    const rule = (name: string, level: string, days: number) => ({ name, rule: name, level, days });
    const rules = [rule('expires-within', 'warn', 30), rule('unused-for', 'fail', 90)];
    writeFileSync(policies, JSON.stringify({ policies: rules }));
    const [json, table, html] = await Promise.all(
      ['json', 'table', 'html'].map(format => run('report', '--policies', policies, '--format', format)),
    );
    assert(json && table && html);
    const { expired, expires_within_30_days, active, policies: counts } = JSON.parse(json.stdout);
    const all = await Promise.all(
      [['--expires-within', '30d'], ['--unused-for', '90d'], ['--expired']].map(args =>
        run('list', '--all', ...args),
      ),
    );
    const [soon = 0, unused = 0, past = 0] = all.map(({ stdout }) => idsOf(stdout).length);
    assert.deepEqual([json.exitCode, expired, expires_within_30_days], [4, past, soon]);
    assert.deepEqual(
      counts.map(({ breach, breaches }: Record<string, unknown>) => [breach, breaches]),
      [
        ['active and expiring within 30 days', soon],
        ['active and unused for 90 days', unused],
      ],
    );
    const text = `, of which ${past} expired and ${soon} expire within 30 days`;
    assert(table.stdout.includes(`${active} of them active${text}\n`));
    assert.match(table.stdout, /\nID\tNAME\tCREATED\tDAYS\tEXPIRES\tHINT\t/);
    assert(html.stdout.includes(`${text}</dd>`));
  });

  test('a difference tells them apart too', async () => {
    const saved = (name: string, ...records: object[]) => {
      writeFileSync(join(folder, name), records.map(each => `${JSON.stringify(each)}\n`).join(''));
      return join(folder, name);
    };
    const expires_at = formatTimestamp((now() - DAY) as Timestamp);
    const key = record('k1', { created_at: '2024-01-01T00:00:00.000000Z', status: 'inactive', expires_at });
    const old = saved('old.jsonl', key);
    const { stdout } = await run(
      'diff',
      old,
      saved('new.jsonl', { ...key, status: 'active' }, { ...key, id: 'k0', status: 'active' }),
    );
    assert.deepEqual(
      stdout.split('\n').map(line => line.split('\t')[3]),
      ['inactive -> expired', 'expired, created 2024-01-01 by user_a', undefined],
    );
  });
});

test('where the service has no such field, a list by it and a policy say that it can not be told', async t => {
  const { service, secret } = await startSeededService(t, numberedKeys(120));
  const env = { KEYROSTER_BASE_URL: service.url, KEYROSTER_ADMIN_KEY: secret };
  for (const option of [['--expires-within', '30d'], ['--unused-for', '90d'], ['--expired']]) {
    const listed = await runCommand(['list', ...option], { env });
    assert.deepEqual([listed.exitCode, listed.stdout.split('\n').length - 1], [5, 20]);
    assert.match(listed.stderr, /^of some keys that are listed it can't be told whether they pass/m);
  }
  const file = join(temporaryFolder(t), 'policies.json');
  const times = { 'expires-within': 'expires_at', expired: 'expires_at', 'unused-for': 'last_used_at' };
  const reportOf = (level: 'fail' | 'warn', ...more: string[]) => {
    const policies = Object.keys(times).map(rule => ({
      name: rule,
      rule,
      level,
      days: rule === 'expired' ? undefined : 30,
    }));
    writeFileSync(file, JSON.stringify({ policies }));
    return runCommand(['report', '--policies', file, ...more], { env });
  };
  const failed = await reportOf('fail');
  assert.equal(failed.exitCode, 4);
  for (const [rule, field] of Object.entries(times))
    assert(failed.stderr.includes(`${rule}: can't be judged: 80 key(s) have no ${field}\n`), rule);
  assert.equal((await reportOf('warn')).exitCode, 0);
  assert.equal((await reportOf('warn', '--strict')).exitCode, 4);
});
