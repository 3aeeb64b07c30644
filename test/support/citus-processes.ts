/** Real stops of a node of the cluster, where it runs on this machine. */
import { execFileSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import type { CitusNode } from './citus.ts';
import { runSql } from './run-sql.ts';
import { atEndOf, type Scope } from './scope.ts';

/** Of a suite that uses the cluster alone. Returns why it can't be stopped where that is so. At the scope's end it runs again. */
export async function processesOf(scope: Scope, node: CitusNode) {
  const { host, port } = node;
  if (process.platform !== 'linux') return 'a node can be stopped on Linux only';
  if (!['localhost', '127.0.0.1', '::1'].includes(host)) return `the node ${host} is on another machine`;
  const pid = await pidOf(node);
  try {
    if (!/postgres$/.test(readlinkSync(`/proc/${pid}/exe`))) throw new Error('another program');
  } catch {
    return `the processes of the node at port ${port} can't be stopped from here: run the tests as their user or as root`;
  }
  const signalAll = (signal: NodeJS.Signals) => {
    process.kill(pid, signal); // first, so that it starts no other
    for (const child of childrenOf(pid)) signalOne(child, signal);
  };
  const resume = () => signalAll('SIGCONT');
  atEndOf(scope, resume);
  /** As a machine that hangs: connections stay open and nothing answers. */
  const freeze = () => signalAll('SIGSTOP');
  return { freeze, resume };
}

async function pidOf({ url }: CitusNode): Promise<number> {
  const [row] = await runSql(url, "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid");
  return Number(row?.pid);
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
