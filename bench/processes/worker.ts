import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { killAtExit } from './kill-at-exit.ts';

/** A script in a process of its own that answers requests, one at a time. */
export class Worker {
  readonly #process: ChildProcess;

  constructor(script: URL, args: readonly string[] = []) {
    this.#process = killAtExit(fork(script, args));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  async request<Answer>(request: object): Promise<Answer> {
    const done = new AbortController();
    const exited = once(this.#process, 'exit', { signal: done.signal }).then(() => ({ error: 'it ended' }));
    const answered = once(this.#process, 'message', { signal: done.signal }).then(([message]) => message);
    this.#process.send(request);
    const answer = await Promise.race([answered, exited]);
    done.abort();
    await Promise.allSettled([answered, exited]);
    if ('error' in answer) throw new Error(`${this.#process.spawnargs.slice(1).join(' ')}: ${answer.error}`);
    return answer;
  }

  end(): void {
    this.#process.kill();
  }
}

/** The worker's side: answers the parent's requests until the parent ends this process. */
export function answerRequests<Request>(answer: (request: Request) => Promise<object>): void {
  process.on('message', async (request: Request) => {
    try {
      process.send?.(await answer(request));
    } catch (error) {
      process.send?.({ error: (error as Error).message });
    }
  });
}
