/** What every test has to do with a process that it starts. */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { atEndOf, type Scope } from './scope.ts';

/** Tells what these streams have given so far, in the order in which it came. */
export function outputOf(...streams: readonly (Readable | null)[]): () => string {
  let all = '';
  for (const stream of streams)
    stream?.setEncoding('utf8').on('data', text => {
      all += text;
    });
  return () => all;
}

/** Kills the process at the scope's end. Resolves with its exit code when its streams are closed, `null`: a signal ended it. */
export function endOf(scope: Scope, child: ChildProcess): Promise<number | null> {
  const end = new Promise<number | null>(resolve => child.once('close', resolve));
  atEndOf(scope, async () => {
    child.kill('SIGKILL');
    await end;
  });
  return end;
}
