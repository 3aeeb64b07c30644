/** `keyroster feed` as an issuer runs it: a child process with lines in and answers out. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { endOf, outputOf } from './child.ts';
import { BINS, spawnOptions } from './command-line.ts';
import { atEndOf, type Scope } from './scope.ts';
import { until } from './until.ts';

export interface FeedAnswer {
  readonly line: number;
  readonly result: 'inserted' | 'updated' | 'unchanged' | 'refused';
  readonly id?: string;
  readonly organization_id?: string;
  readonly problems?: readonly string[];
}

export type FeedProcess = ReturnType<typeof startFeed>;

export function startFeed(
  scope: Scope,
  url: string,
  args: readonly string[] = ['-'],
  env: Readonly<Record<string, string>> = {},
) {
  const child = spawn(
    process.execPath,
    [BINS.keyroster, 'feed', ...args],
    spawnOptions({ env: { KEYROSTER_DATABASE_URL: url, ...env } }),
  );
  const answers: FeedAnswer[] = [];
  const stderr = outputOf(child.stderr);
  let hasEnded = false;
  child.stdin.on('error', () => {}); // it may end before it has read all
  const lines = createInterface({ input: child.stdout });
  lines.on('line', line => {
    // A line that was cut off by the end of the process is no answer.
    if (line.endsWith('}')) answers.push(JSON.parse(line));
  });
  const ended = endOf(scope, child);
  atEndOf(scope, () => child.stdout.destroy()); // it closes though it isn't read
  child.once('close', () => {
    hasEnded = true;
  });
  const whileRunning = (what: string, isSo: () => boolean) =>
    until(what, () => {
      if (isSo()) return true;
      if (hasEnded) throw new Error(`it ended before ${what}: ${stderr()}`);
      return false;
    });
  const write = (text: string) => new Promise<void>(resolve => void child.stdin.write(text, () => resolve()));
  return {
    answers,
    stderr,
    /** Resolves when the process has taken it. */
    send: (all: readonly unknown[]) => write(all.map(each => `${JSON.stringify(each)}\n`).join('')),
    /** The same without a newline at its end. */
    sendText: write,
    end: () => void child.stdin.end(),
    /** Waits for so many answers in all. Rejects when the process ends without. */
    answered: async (count: number): Promise<readonly FeedAnswer[]> => {
      await whileRunning(`it gave ${count} answers`, () => answers.length >= count);
      return answers;
    },
    /** Waits for a message on standard error. */
    said: (pattern: RegExp) => whileRunning(`it said ${pattern}`, () => pattern.test(stderr())),
    pauseReading: () => void lines.pause(),
    resumeReading: () => void lines.resume(),
    /** Closes the other end of its standard output. */
    leave: () => void child.stdout.destroy(),
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    /** The exit code; `null` when a signal ended it. */
    ended,
  };
}
