import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { embeddedStore } from '../../support/embedded-store.ts';
import { NEXT_RELEASE, SECOND_NEXT_RELEASE } from '../../support/next-release.ts';
import { newStore } from '../../support/opened.ts';
import { sqlite } from '../../support/roster.ts';
import { runCommand, runManyCommands } from '../../support/run-many-commands.ts';
import { runSql } from '../../support/run-sql.ts';
import { temporaryFolder } from '../../support/scope.ts';
import { createTenants } from '../../support/service-process.ts';
import { postgres } from '../../support/stores.ts';

const STATUS = ['migrate', '--status'];

test('migrate --status says that there is no store yet, and where, and makes nothing', async t => {
  const env = { KEYROSTER_DATABASE_URL: `sqlite:${join(temporaryFolder(t), 'keyroster.db')}` };
  const none =
    /^there is no store in sqlite:\S+; this release has (\d), and reads \d to \1\nrun "keyroster migrate", which applies \1 migration\(s\)\n$/;
  for (const _ of ['first', 'again']) {
    const { exitCode, stdout } = await runCommand(STATUS, { env });
    assert.equal(exitCode, 4);
    assert.match(stdout, none);
  }
});

test('a store from several releases ago is migrated only when what uses it is said to be stopped', async t => {
  const { env } = await embeddedStore(t);
  const commands = [STATUS, ['migrate', '--plan'], ['migrate'], ['migrate', '--stopped']];
  const { finished } = await runManyCommands(
    commands.map(args => ({ args, env })),
    { env: SECOND_NEXT_RELEASE },
  );
  const [status, plan, refused, migrated] = finished;
  const stop =
    'stop every process of an older release, as none can use the store after the migration; then run "keyroster migrate --stopped"';
  assert.equal(status?.exitCode, 4);
  assert.ok(
    status?.stdout.endsWith(`\nthis release can't use the store: ${stop}, which applies 4 migration(s)\n`),
  );
  assert.match(plan?.stdout ?? '', new RegExp(`^${stop}\n(migration \\d\n){4}$`));
  assert.deepEqual(refused, { exitCode: 1, stdout: '', stderr: `keyroster: database: ${stop}\n` });
  assert.equal(migrated?.stdout, 'applied 4 migration(s)\n');
});

test('migrate --status of a store that another commit made says what to do, and nothing else', async t => {
  const { env } = await embeddedStore(t);
  await runSql(env.KEYROSTER_DATABASE_URL, "UPDATE migrations SET digest = 'of another commit'");
  const { exitCode, stdout } = await runCommand(STATUS, { env });
  assert.equal(exitCode, 4);
  assert.match(stdout, /^database: the schema of the store is not of a release, .* import them there\n$/);
  const { reads, writes } = JSON.parse((await runCommand([...STATUS, '--json'], { env })).stdout);
  assert.deepEqual({ reads, writes }, { reads: false, writes: false });
});

test('migrate --status of a store that is up to date ends with 0; --json is for it, and it is not for a plan', async t => {
  const { env } = await embeddedStore(t);
  const { exitCode, stdout } = await runCommand(STATUS, { env });
  assert.equal(exitCode, 0);
  assert.match(stdout, /^the store has schema (\d); this release has \1, .*\nthe schema is up to date\n$/);
  for (const args of [['--json'], ['--status', '--plan']])
    assert.equal((await runCommand(['migrate', ...args], { env })).exitCode, 2);
});

for (const kind of [sqlite, postgres])
  test(`the next release says what it can do before and after its migration, this one too, and the plan has each step, over ${kind.name}`, async t => {
    const store = await newStore(t, kind);
    await createTenants(store, 1);
    const env = { KEYROSTER_DATABASE_URL: store.url };
    const before = await asNextRelease(env, STATUS, [...STATUS, '--json'], ['migrate', '--plan']);
    assert.deepEqual(
      before.map(({ exitCode }) => exitCode),
      [4, 4, 0],
    );
    assert.match(
      before[0]?.stdout ?? '',
      /\nthis release reads the store; to write it, run "keyroster migrate", which applies 2 migration\(s\)\n$/,
    );
    const { store_schema, ...known } = JSON.parse(before[1]?.stdout ?? '');
    assert.deepEqual(known, {
      release_schema: store_schema + 2,
      reads_from_schema: store_schema,
      reads: true,
      writes: false,
    });
    const plan = [1, 2].map(more => `migration ${store_schema + more}\n`).join('');
    assert.equal(before[2]?.stdout, plan);

    await asNextRelease(env, ['migrate']);
    const after = await runCommand(STATUS, { env });
    assert.equal(after.exitCode, 0);
    assert.match(after.stdout, /\nthe schema is of the next release, over which this one goes on\n$/);
    assert.equal((await runCommand(['migrate'], { env })).stdout, 'the schema is up to date\n');
  });

async function asNextRelease(env: Record<string, string>, ...commands: string[][]) {
  const { finished } = await runManyCommands(
    commands.map(args => ({ args, env })),
    { env: NEXT_RELEASE },
  );
  return finished;
}
