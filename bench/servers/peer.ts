import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { killAtExit } from '../processes/kill-at-exit.ts';

export const PEERS = fileURLToPath(new URL('../peers', import.meta.url));

/** Installs the peers' dependencies from their lock file, without install scripts: none of them needs one. */
export function installPeers(): void {
  const installed = `${PEERS}/node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs > statSync(`${PEERS}/package-lock.json`).mtimeMs)
    return;
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: PEERS,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Runs a peer's server in a process of its own. When ready it prints its port and, if it has one, a session cookie. */
export async function withPeer<T>(
  args: readonly string[],
  work: (port: number, session: string) => Promise<T>,
): Promise<T> {
  const child = killAtExit(
    spawn(process.execPath, args, { cwd: PEERS, stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const ended = once(child, 'exit');
  try {
    const printed = once(createInterface(child.stdout), 'line');
    const [line] = await Promise.race([
      printed,
      ended.then(() => Promise.reject(new Error(`${args[0]} ended`))),
    ]);
    const [port = '', session = ''] = String(line).split(' ', 2);
    return await work(Number(port), session);
  } finally {
    child.kill();
    await ended;
  }
}
