import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { endWithThis } from '../end-with-this.ts';

/** A script in a process of its own that answers questions, one at a time. */
export class Worker {
  readonly #process: ChildProcess;

  constructor(script: URL, args: readonly string[] = []) {
    this.#process = endWithThis(fork(script, args));
  }

  async ask<Answer>(question: object): Promise<Answer> {
    const gone = new AbortController();
    const exited = once(this.#process, 'exit', { signal: gone.signal }).then(() => ({ error: 'it ended' }));
    const answered = once(this.#process, 'message', { signal: gone.signal }).then(([message]) => message);
    this.#process.send(question);
    const answer = await Promise.race([answered, exited]);
    gone.abort();
    await Promise.allSettled([answered, exited]);
    if ('error' in answer) throw new Error(`${this.#process.spawnargs.slice(1).join(' ')}: ${answer.error}`);
    return answer;
  }

  end(): void {
    this.#process.kill();
  }
}

/** The other side: answers what the parent asks until it ends this process. */
export function answer<Question>(work: (question: Question) => Promise<object>): void {
  process.on('message', async (question: Question) => {
    try {
      process.send?.(await work(question));
    } catch (error) {
      process.send?.({ error: (error as Error).message });
    }
  });
}
