/** Many command lines, one after the other in one process, which takes milliseconds each. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Finished, type ProcessOptions, spawnOptions } from './command-line.ts';

const MANY_COMMANDS = fileURLToPath(new URL('./many-commands.ts', import.meta.url));

export interface CommandLine {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** `log` is what the process wrote by other ways, such as the log of `serve`. */
export async function runManyCommands(
  lines: readonly CommandLine[],
  options: ProcessOptions,
): Promise<{ readonly finished: readonly Finished[]; readonly log: string }> {
  const child = fork(MANY_COMMANDS, { ...spawnOptions(options), silent: true });
  assert(child.stdin && child.stdout && child.stderr);
  child.stdin.end(); // a command that reads standard input must not wait for it
  const unseen = Promise.all([text(child.stdout), text(child.stderr)]);
  child.send(lines);
  const closed = once(child, 'close');
  const message = once(child, 'message').then(([all]) => all as Finished[]);
  const finished = await Promise.race([message, closed.then(([code]) => assert.fail(`ended with ${code}`))]);
  await closed;
  assert.equal(finished.length, lines.length);
  return { finished, log: (await unseen).join('') };
}
