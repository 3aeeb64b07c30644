/** A server of examples/servers in a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './free-port.ts';
import { atEndOf, type Scope } from './scope.ts';
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
  let printed = '';
  for (const output of [child.stdout, child.stderr])
    output.setEncoding('utf8').on('data', text => {
      printed += text;
    });
  const end = once(child, 'close').then(([exitCode]) => ({ exitCode: exitCode as number | null, printed }));
  atEndOf(scope, async () => {
    child.kill('SIGKILL');
    await end;
  });
  await until(`${args.join(' ')} answers`, () => {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended: ${printed}`);
    return answers(port);
  });
  return {
    port,
    stop: () => {
      child.kill('SIGTERM');
      return end;
    },
  };
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    answer => answer.text().then(() => true),
    () => false,
  );
}
