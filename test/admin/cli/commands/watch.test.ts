import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startAnsweringService } from '../../../support/answering-service.ts';
import { keyroster, startKeyroster } from '../../../support/command-line.ts';
import { exampleRecord } from '../../../support/example-record.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { temporaryFolder } from '../../../support/scope.ts';
import { tellFlushed } from '../../../support/tell-flushed-folder.ts';
import { until } from '../../../support/until.ts';

test('watch keeps dated snapshots and prunes them, tells what changed, and leaves the last alone when it fails', async t => {
  const roster = { names: ['One', 'Two'], fails: false };
  const url = await startAnsweringService(t, (_request, response) => {
    const data = roster.names.map((name, index) => ({
      ...exampleRecord,
      id: `k${roster.names.length - index}`,
      name,
    }));
    const ids = { first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null };
    response
      .writeHead(roster.fails ? 401 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ data, ...ids, has_more: false }));
  });
  const folder = join(temporaryFolder(t), 'rosters');
  const env = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'an-admin-key-of-a-stub' };
  const watch = async (...args: string[]) => {
    const finished = await runCommand(['watch', folder, ...args], { env });
    return { ...finished, snapshots: readdirSync(folder).filter(name => name !== 'notes.txt') };
  };

  const first = await watch();
  assert.deepEqual([first.exitCode, first.stdout, first.snapshots.length], [0, '', 1]);
  assert.match(first.stderr, /^the first snapshot: there is none to compare it with\nkept in .*\n$/);
  assert.match(String(first.snapshots[0]), /^\d{4}-\d\d-\d\dT\d{6}Z\.json\.gz$/);
  assert.deepEqual(
    [folder, join(folder, String(first.snapshots[0]))].map(path => statSync(path).mode & 0o777),
    [0o700, 0o600],
  );
  writeFileSync(join(folder, 'notes.txt'), 'of the admin');

  roster.names = ['New', 'One', 'Two'];
  roster.fails = true;
  const failed = await watch('--exit-code');
  assert.deepEqual([failed.exitCode, failed.stdout, failed.snapshots], [1, '', first.snapshots]);

  roster.fails = false;
  const changed = await watch('--exit-code');
  assert.deepEqual([changed.exitCode, changed.snapshots.length], [4, 2]);
  assert.match(changed.stdout, /^k3\tadded\tNew\t/);
  assert.match(changed.stderr, /^1 added; keys: 2 before, 3 now\n/);

  const saved = await runCommand(
    ['report', '--file', join(folder, String(changed.snapshots[1])), '--max-age', '1d'],
    { env },
  );
  assert.match(saved.stdout, /\n3 keys/);

  roster.names = [];
  const gone = await watch('--keep', '2');
  assert.deepEqual([gone.exitCode, gone.snapshots.length, gone.snapshots[0]], [0, 2, changed.snapshots[1]]);
  assert.match(gone.stderr, /^3 gone; /);
  const same = await watch('--exit-code', '--keep', '2');
  assert.deepEqual([same.exitCode, same.snapshots[0]], [0, gone.snapshots[1]]);
  assert.deepEqual([same.stdout, same.stderr], ['', ''], 'nothing changed, so a job sends no mail');
  assert(readdirSync(folder).includes('notes.txt'));

  const last = join(folder, String(same.snapshots[1]));
  const whole = readFileSync(last);
  writeFileSync(last, whole.subarray(0, whole.length - 9));
  assertFailed(
    await runCommand(['watch', folder], { env }),
    1,
    /Z\.json\.gz: .*: remove it, so that the one before it counts\n$/,
  );
  writeFileSync(last, whole);
  const later = '2999-01-01T000000Z.json.gz';
  copyFileSync(join(folder, String(same.snapshots[1])), join(folder, later));
  const early = await watch('--keep', '1');
  assert.deepEqual([early.exitCode, early.snapshots.toSorted()], [1, [...same.snapshots, later].toSorted()]);
  assert.match(
    early.stderr,
    /the last snapshot, 2999-01-01T000000Z.json.gz, is of a later time: set the clock/,
  );
});

test('watch removes what a run that was killed has left, and flushes its folder before it says that a snapshot is kept', async t => {
  let answers = false;
  const url = await startAnsweringService(t, (_request, response) => {
    if (answers) response.writeHead(200, { 'content-type': 'application/json' }).end(EMPTY);
  });
  const folder = join(temporaryFolder(t), 'rosters');
  const env = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'an-admin-key-of-a-stub' };
  const killed = startKeyroster(t, ['watch', folder, '--timeout', '1h'], { env });
  await until('it writes', () => existsSync(folder) && readdirSync(folder).length > 0);
  await killed.stop('SIGKILL');
  const [left = ''] = readdirSync(folder);
  const compared = left.slice(1).replace(/\.\w+\.tmp$/, ''); // killed later, it would have left this
  const earlier = compared.replace(/^\d{4}/, '2020');
  for (const name of [compared, earlier]) copyFileSync(join(folder, left), join(folder, name));

  answers = true;
  await new Promise(resolve => setTimeout(resolve, 1_000)); // each second has a name of its own
  const next = await keyroster(['watch', folder], { env: { ...env, ...tellFlushed(folder) } });
  const snapshots = readdirSync(folder);
  assert.equal(snapshots.length, 1, snapshots.join(' '));
  const flushes = next.stderr.split('\n').filter(line => line.startsWith('flushed '));
  assert.match(flushes.at(-1) ?? '', new RegExp(`(^| )${snapshots}( |$)`), next.stderr);
  assert.match(next.stderr, /\nkept in .*\n$/);
});

test('watch waits for a service that is away for as long as --wait says, and says nothing of it unless it stays away', async t => {
  let failures = 5; // other commands make five attempts
  const url = await startAnsweringService(t, (_request, response) => {
    const status = failures-- > 0 ? 503 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(EMPTY);
  });
  const folder = join(temporaryFolder(t), 'rosters');
  const env = { KEYROSTER_BASE_URL: url, KEYROSTER_ADMIN_KEY: 'an-admin-key-of-a-stub' };
  const back = await runCommand(['watch', folder], { env });
  assert.match(back.stderr, /^the first snapshot: there is none to compare it with\nkept in .*\n$/);
  failures = Infinity;
  assertFailed(
    await runCommand(['watch', folder, '--wait', '1s'], { env }),
    1,
    /^keyroster-admin: http:\S+: the service answered 503.*\n$/,
  );
  assertFailed(
    await runCommand(['watch', folder, '--wait', '0s'], { env }),
    2,
    /--wait: must be a whole number with a unit of s, m or h, from 1s to 24h/,
  );
});

const EMPTY = JSON.stringify({ data: [], first_id: null, last_id: null, has_more: false });
