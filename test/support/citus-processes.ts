/** Real stops of a node of the cluster, where it runs on this machine. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { CitusNode } from './citus.ts';
import { atEndOf, type Scope } from './scope.ts';

export interface NodeProcesses {
  /** Stops all of them with SIGSTOP, as a machine that hangs: connections stay open and nothing answers. */
  freeze(): void;
  resume(): void;
  /** Ends all of them with SIGKILL, as a power cut. */
  kill(): void;
  /** Starts the server that was killed, and waits until it accepts connections. */
  start(): Promise<void>;
}

/** Of a suite that uses the cluster alone. Returns why it can't be stopped where that is so. At the scope's end it runs again. */
export async function processesOf(
  scope: Scope,
  node: CitusNode | undefined,
): Promise<NodeProcesses | string> {
  if (!node) return 'there is no such node';
  const server = await serverOf(node);
  if (typeof server === 'string') return server;
  let { pid } = server;
  let state: 'running' | 'frozen' | 'killed' = 'running';
  const signalAll = (signal: NodeJS.Signals) => {
    process.kill(pid, signal); // first, so that it starts no other
    for (const child of childrenOf(pid)) signalOne(child, signal);
  };
  const resume = () => {
    if (state !== 'frozen') return;
    signalAll('SIGCONT');
    state = 'running';
  };
  const start = async () => {
    if (state !== 'killed') return;
    const { program, args, ...options } = server;
    // Until the memory that the killed ones shared is free, it ends again.
    for (let started: ChildProcess | undefined; !(await accepts(node)); await setTimeout(100)) {
      if (started && started.exitCode === null) continue;
      started = spawn(program, args, { ...options, detached: true, stdio: 'ignore' });
      started.unref();
      pid = Number(started.pid);
    }
    state = 'running';
  };
  atEndOf(scope, async () => {
    resume();
    await start();
  });
  return {
    freeze: () => {
      signalAll('SIGSTOP');
      state = 'frozen';
    },
    resume,
    kill: () => {
      const children = childrenOf(pid);
      signalAll('SIGKILL');
      for (const child of children) signalOne(child, 'SIGKILL');
      state = 'killed';
    },
    start,
  };
}

/** What is needed to start it again as it was. */
async function serverOf({ url, host, port }: CitusNode) {
  if (process.platform !== 'linux') return 'a node can be stopped on Linux only';
  if (!['localhost', '127.0.0.1', '::1'].includes(host)) return `the node ${host} is on another machine`;
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ folder: string; pid: string }>(
    `SELECT current_setting('data_directory') AS folder, split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`,
  );
  await client.end();
  const { folder = '', pid = '' } = rows[0] ?? {};
  try {
    const program = readlinkSync(`/proc/${pid}/exe`);
    const [, ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const { uid, gid } = statSync(folder);
    const env = Object.fromEntries(
      readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map(each => /^([^=]*)=?(.*)$/s.exec(each)?.slice(1) ?? []),
    );
    if (!/postgres$/.test(program)) throw new Error('another program');
    process.kill(Number(pid), 0);
    return { pid: Number(pid), program, args, cwd: folder, uid, gid, env };
  } catch {
    return `the processes of the node at port ${port} can't be stopped from here: run the tests as their user or as root`;
  }
}

function childrenOf(pid: number): number[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map(line => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}

async function accepts({ url }: CitusNode): Promise<boolean> {
  const client = new Client(url);
  client.on('error', () => {});
  const accepted = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end().catch(() => {});
  return accepted;
}
