/** The real PgBouncer, where this machine has one. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../../../support/free-port.ts';
import { organizationIn } from '../../../support/roster.ts';
import { atEndOf, type Scope, temporaryFolder } from '../../../support/scope.ts';
import { startService } from '../../../support/service.ts';
import { storeAt } from '../../../support/store-at.ts';
import { postgres, type TestStore } from '../../../support/stores.ts';

const env = { PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` };

const version = (() => {
  try {
    return execFileSync('pgbouncer', ['--version'], { env, encoding: 'utf8' }).split('\n')[0];
  } catch {
    return undefined;
  }
})();

describe(`PgBouncer (${version})`, {
  skip: version ? false : 'there is no pgbouncer on this machine',
}, () => {
  let store: TestStore;
  let secret: string;
  before(async () => {
    store = await postgres.create();
    ({ secret } = await organizationIn(store));
  });
  after(() => store.remove());

  for (const mode of ['transaction', 'statement'])
    test(`in ${mode} mode is refused`, async t => {
      const { migrate, openReader } = storeAt(await startPgBouncer(t, store.url, mode));
      for (const open of [migrate, openReader] as (() => Promise<unknown>)[])
        await assert.rejects(open(), /changes the connection between transactions: set it to session mode/);
    });

  test('in session mode serves as PostgreSQL itself', async t => {
    const reader = await storeAt(await startPgBouncer(t, store.url, 'session')).openReader();
    t.after(() => reader.close());
    const service = await startService(reader);
    t.after(() => service.close());
    assert.equal((await service.list(secret)).status, 200);
  });

  test('that refuses a password, a database or a parameter is told as the one that does', async t => {
    const url = await startPgBouncer(t, store.url, 'session');
    const changes: Record<string, string>[] = [
      { password: 'wrong' },
      { pathname: '/absent' },
      { search: '?options=-c%20work_mem%3D5MB' },
    ];
    for (const change of changes)
      await assert.rejects(
        storeAt(Object.assign(new URL(url), change).href).openReader(),
        /: a pooler in front of PostgreSQL refused \(.*\): check the user, the password, the database and the parameters/,
      );
  });
});

async function startPgBouncer(scope: Scope, target: string, mode: string): Promise<string> {
  const url = new URL(target);
  const folder = temporaryFolder(scope);
  const port = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: join(folder, 'users.txt'),
    pool_mode: mode,
    default_pool_size: 5,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const databases = ['[databases]', `* = host=127.0.0.1 port=${url.port}`, '[pgbouncer]'];
  writeFileSync(join(folder, 'pgbouncer.ini'), [...databases, ...lines, ''].join('\n'));
  writeFileSync(settings.auth_file, `"${url.username}" "${url.password}"\n`);
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const asNobody = process.getuid?.() === 0 ? { uid: Number(execFileSync('id', ['-u', 'nobody'])) } : {};
  const pooler = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { env, ...asNobody });
  atEndOf(scope, () => pooler.kill('SIGKILL'));
  let log = '';
  while (!log.includes('process up')) log += String((await once(pooler.stderr, 'data'))[0]);
  return Object.assign(url, { port }).href;
}
