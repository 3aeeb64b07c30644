/** A server of examples/servers in a process of its own. */
import { spawn } from 'node:child_process';
import { endOf, outputOf } from './child.ts';
import { freePort } from './free-port.ts';
import type { Scope } from './scope.ts';
import { until } from './until.ts';

export interface AppProcess {
  readonly port: number;
  /** Asks it to stop as a supervisor does, and waits for its end. */
  stop(): Promise<{ exitCode: number | null; printed: string }>;
}

/** Runs this command until the scope's end, and waits until it answers at its `PORT`. */
export async function startApp(
  scope: Scope,
  [program, ...args]: readonly [string, ...string[]],
  { cwd, database }: { cwd?: string; database: string },
): Promise<AppProcess> {
  const port = await freePort();
  const env = { ...process.env, PORT: String(port), DATABASE_URL: database };
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = outputOf(child.stdout, child.stderr);
  const end = endOf(scope, child);
  await until(`${args.join(' ')} answers`, () => {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended: ${printed()}`);
    return fetch(`http://127.0.0.1:${port}/healthz`).then(
      answer => answer.text().then(() => true),
      () => false,
    );
  });
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM');
      return { exitCode: await end, printed: printed() };
    },
  };
}
