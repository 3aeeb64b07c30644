import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { killAtExit } from '../processes/kill-at-exit.ts';
import { ORGANIZATION } from '../roster/store.ts';
import { buildSqliteFloor } from './compiled.ts';

/** A process of `bench/peers/c/sqlite-floor.c`, which reads pages from a store with SQLite alone. */
export class SqliteFloor {
  readonly #process: ChildProcess;
  readonly #requests: Writable;
  readonly #answers: AsyncIterator<string>;

  constructor(program: string, file: string) {
    const child = killAtExit(spawn(program, [file, ORGANIZATION], { stdio: ['pipe', 'pipe', 'inherit'] }));
    this.#process = child;
    this.#requests = child.stdin;
    this.#answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  /** The body of the page after this cursor. */
  page(limit: number, cursor: string): Promise<string> {
    return this.#request(`page ${limit} ${cursor}`);
  }

  /** Reads the pages after these cursors for this long. */
  async pagesPerSecond(limit: number, seconds: number, cursors: readonly string[]): Promise<number> {
    const answer = await this.#request(`measure ${limit} ${seconds} ${cursors.join(' ')}`);
    return Number(answer.split(' ')[0]);
  }

  end(): void {
    this.#process.kill();
  }

  async #request(line: string): Promise<string> {
    this.#requests.write(`${line}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error('sqlite-floor ended');
    return value;
  }
}

/** Runs it for as long as the work takes; `null` where there is no C compiler. */
export async function withSqliteFloor<T>(
  file: string,
  work: (floor: SqliteFloor | null) => Promise<T>,
): Promise<T> {
  const program = buildSqliteFloor();
  if (program === null) return work(null);
  const floor = new SqliteFloor(program, file);
  try {
    return await work(floor);
  } finally {
    floor.end();
  }
}
