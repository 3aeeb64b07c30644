import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const REPORT_PEAK = new URL('./report-peak.ts', import.meta.url).href;
const BIN = 'src/cli/bin.ts';

export interface Run {
  /** From the start of the process to its end. */
  readonly seconds: number;
  /** The most memory that the process had at once (resident set). */
  readonly peakBytes: number;
}

/** Runs `keyroster …` as an operator does, its standard output into this file. */
export const keyroster = (output: string, ...args: string[]) => run(BIN, args, output);

/** Runs a script of this project in a process of its own. Throws unless it ends well. */
export async function run(script: string, args: readonly string[], output = '/dev/null'): Promise<Run> {
  const stdout = openSync(output, 'w');
  const start = performance.now();
  const child = spawn(process.execPath, ['--import', REPORT_PEAK, script, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', stdout, 'inherit', 'pipe'],
  });
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
      if (code === 0) resolve({ seconds, peakBytes: Number(peak) });
      else reject(new Error(`${script} ${args[0]} ended with exit code ${code}`));
    });
  });
}
