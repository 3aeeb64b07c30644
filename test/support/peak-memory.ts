import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { run } from '../../bench/processes/run.ts';
import { binFor } from './command-line.ts';

/** What the admin's commands that keep nothing of a key may take, however many keys there are. */
const MAX_PEAK_BYTES = 300e6;

interface Command {
  readonly args: readonly string[];
  readonly exitCode?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly maxPeakBytes?: number;
}

/** Runs it with its output in a file in this folder, checks the peak of its memory, and returns the bytes of output. */
export async function runInMemory(
  t: TestContext,
  folder: string,
  { args, maxPeakBytes = MAX_PEAK_BYTES, ...options }: Command,
): Promise<number> {
  const output = join(folder, 'output');
  const { peakBytes, seconds } = await run(binFor(args), args, { output, ...options });
  const { size } = statSync(output);
  t.diagnostic(
    `${args.join(' ')}: ${seconds.toFixed(0)} s, ${megabytes(peakBytes)} of memory, ${megabytes(size)} of output`,
  );
  assert(peakBytes < maxPeakBytes, `${peakBytes} bytes of memory`);
  return size;
}

/** The same with a reader that waits a millisecond for each 64 KiB. */
export async function runIntoSlowPipe(
  t: TestContext,
  folder: string,
  { args, maxPeakBytes = MAX_PEAK_BYTES, ...options }: Command,
): Promise<void> {
  const output = join(folder, 'pipe');
  execFileSync('mkfifo', [output]);
  const reader = spawn(process.execPath, ['-e', SLOW_READER, output], { stdio: 'ignore' });
  const ended = once(reader, 'exit');
  const { peakBytes } = await run(binFor(args), args, { output, ...options });
  await ended;
  t.diagnostic(`${args.join(' ')} into a slow pipe: ${megabytes(peakBytes)} of memory`);
  assert(peakBytes < maxPeakBytes, `${peakBytes} bytes of memory`);
}

const SLOW_READER = `
  const { openSync, readSync } = require('node:fs');
  const pipe = openSync(process.argv[1]);
  const buffer = Buffer.alloc(65536);
  const clock = new Int32Array(new SharedArrayBuffer(4));
  while (readSync(pipe, buffer) > 0) Atomics.wait(clock, 0, 0, 1);`;

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
