import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { killAtExit } from './kill-at-exit.ts';

const REPORT_PEAK = new URL('./report-peak.js', import.meta.url).href;
/** The built program, as the package ships it. `npm run bench` builds it first. */
export const BIN = 'dist/operator/bin.js';

export interface Run {
  /** From the start of the process to its end. */
  readonly seconds: number;
  /** Peak resident memory. */
  readonly peakBytes: number;
}

/** Runs `keyroster …` as an operator does, on this database, with its standard output in this file. */
export const keyroster = (where: { database: string; output: string }, ...args: string[]) =>
  run(BIN, args, { output: where.output, env: { KEYROSTER_DATABASE_URL: where.database } });

interface RunOptions {
  /** The file for its standard output. */
  readonly output?: string;
  /** Added to this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The expected exit code. */
  readonly exitCode?: number;
}

/** Runs a script of this project in a process of its own. Throws unless it ends with the expected exit code. */
export async function run(
  script: string,
  args: readonly string[],
  { output = '/dev/null', env = {}, exitCode = 0 }: RunOptions = {},
): Promise<Run> {
  const stdout = openSync(output, 'w');
  const start = performance.now();
  const child = killAtExit(
    spawn(process.execPath, ['--import', REPORT_PEAK, script, ...args], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...process.env, ...env },
      stdio: ['ignore', stdout, 'inherit', 'pipe'],
    }),
  );
  closeSync(stdout);
  let peak = '';
  child.stdio[3]?.on('data', text => {
    peak += text;
  });
  return new Promise((resolve, reject) => {
    let seconds = 0;
    child.on('error', reject);
    child.on('exit', () => {
      seconds = (performance.now() - start) / 1000;
    });
    child.on('close', code => {
      if (code === exitCode) resolve({ seconds, peakBytes: Number(peak) });
      else reject(new Error(`${script} ${args[0]} ended with exit code ${code}`));
    });
  });
}
