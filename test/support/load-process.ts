/** Puts load on a service. `load.ts` starts it as a child process, so that it doesn't share the test's event loop. */

import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Load, LoadResult } from './load.ts';

/** How often an open loop checks how many requests are due. */
const TICK_MS = 5;
/** How long requests may still take when the time is over. */
const MAX_TAIL_MS = 20_000;

process.once('message', async load => {
  const stopped = new AbortController();
  process.once('message', () => stopped.abort());
  process.send?.(await run(load as Load, stopped.signal), () => process.exit());
});

async function run(
  { port, requests, connections, seconds, rate, requestsEach = Infinity }: Load,
  stopped: AbortSignal,
): Promise<LoadResult> {
  const start = performance.now();
  const bySecond: { statuses: Record<number, number>; times: number[] }[] = [];
  const lost = { unanswered: 0, unansweredOnNew: 0, refused: 0 };
  const open = new Set<LoadConnection>();
  let sent = 0;
  const isRunning = () => !stopped.aborted && performance.now() - start < seconds * 1000;

  const leftOn = new WeakMap<LoadConnection, number>();
  const sendOn = (connection: LoadConnection) => {
    leftOn.set(connection, (leftOn.get(connection) ?? requestsEach) - 1);
    connection.send(requests[sent++ % requests.length] as string);
  };
  const openOne = () => {
    const next = () => {
      const done = !isRunning() || leftOn.get(connection) === 0;
      if (done && connection.underWay === 0) connection.close();
      else if (!done && connection.usable && rate === undefined) sendOn(connection);
    };
    const connection: LoadConnection = new LoadConnection(port, {
      connected: next,
      answered(status, elapsed) {
        const second = Math.floor((performance.now() - start) / 1000);
        bySecond[second] ??= { statuses: {}, times: [] };
        const { statuses, times } = bySecond[second];
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 200) times.push(elapsed);
        next();
      },
      ended({ unanswered, everAnswered, refused }) {
        open.delete(connection);
        if (refused) lost.refused += 1;
        else lost[everAnswered ? 'unanswered' : 'unansweredOnNew'] += unanswered;
        if (isRunning() && !refused) openOne();
      },
    });
    open.add(connection);
  };
  for (let number = 0; number < connections; number++) openOne();

  let turn = 0;
  while (isRunning() && open.size > 0) {
    await setTimeout(TICK_MS);
    if (rate === undefined) continue;
    const free = [...open].filter(each => each.usable && each.underWay === 0 && leftOn.get(each) !== 0);
    const due = Math.min(((performance.now() - start) / 1000) * rate - sent, free.length);
    for (let number = 0; number < due; number++) sendOn(free[turn++ % free.length] as LoadConnection);
  }
  const deadline = performance.now() + MAX_TAIL_MS;
  while ([...open].some(({ underWay }) => underWay > 0) && performance.now() < deadline)
    await setTimeout(TICK_MS);
  const unfinished = [...open].reduce((sum, { underWay }) => sum + underWay, 0);
  return { sent, ...lost, unfinished, seconds: Array.from(bySecond, second => secondOf(second ?? NONE)) };
}

const NONE = { statuses: {}, times: [] };

function secondOf({ statuses, times }: { statuses: Record<number, number>; times: number[] }) {
  return { statuses, times: times.map(time => Math.round(time * 1000) / 1000) };
}

interface LoadEvents {
  answered(status: number, elapsed: number): void;
  /** The connection has closed. `unanswered` counts the requests sent before the service announced the close. */
  ended(end: { unanswered: number; everAnswered: boolean; refused: boolean }): void;
  connected(): void;
}

/** Sends requests on one connection and counts the answers in order; cheap enough to overload the service. */
export class LoadConnection {
  readonly #socket: Socket;
  readonly #events: LoadEvents;
  /** When each unanswered request was sent. */
  readonly #sent: number[] = [];
  #buffer = '';
  #everAnswered = false;
  #error: string | undefined;
  /** False once an answer has said `connection: close`, or this side has closed. */
  usable = false;

  constructor(port: number, events: LoadEvents) {
    this.#events = events;
    this.#socket = connect(port, '127.0.0.1').setNoDelay();
    this.#socket.setEncoding('latin1').on('data', text => this.#read(String(text)));
    this.#socket.on('connect', () => {
      this.usable = true;
      events.connected();
    });
    this.#socket.on('error', error => {
      this.#error = (error as NodeJS.ErrnoException).code;
    });
    this.#socket.on('close', () => {
      this.usable = false;
      const refused = this.#error === 'ECONNREFUSED';
      events.ended({ unanswered: this.#sent.length, everAnswered: this.#everAnswered, refused });
    });
  }

  get underWay(): number {
    return this.#sent.length;
  }

  send(request: string): void {
    this.#sent.push(performance.now());
    this.#socket.write(request);
  }

  close(): void {
    this.usable = false;
    this.#socket.end();
  }

  #read(text: string): void {
    this.#buffer += text;
    for (;;) {
      const endOfHead = this.#buffer.indexOf('\r\n\r\n');
      if (endOfHead < 0) return;
      const head = this.#buffer.slice(0, endOfHead);
      const end = endOfHead + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (this.#buffer.length < end) return;
      this.#buffer = this.#buffer.slice(end);
      this.#everAnswered = true;
      if (/^connection: close/im.test(head)) {
        this.usable = false;
        // Requests sent after this one aren't lost: HTTP lets the client retry what the announced close left unanswered.
        this.#sent.length = Math.min(this.#sent.length, 1);
      }
      this.#events.answered(Number(head.slice(9, 12)), performance.now() - (this.#sent.shift() ?? 0));
    }
  }
}
