/** Puts load on a service. `load.ts` starts it as a child process, so that it doesn't share the test's event loop. */
import { setTimeout } from 'node:timers/promises';
import type { Load, LoadResult } from './load.ts';
import { LoadConnection } from './load-connection.ts';

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
