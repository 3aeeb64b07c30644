/** The process that sends load. Its parent sends it a `Load` and gets a `LoadResult`. */
import { answerRequests } from '../processes/worker.ts';
import { Connection } from './connection.ts';
import type { Load, LoadResult } from './load.ts';

answerRequests(run);

/** The status of an overloaded service. */
const SHED = 503;

/** Repeats the requests in their order until the time is over. Each connection waits for its answer before it sends the next. */
function run({ port, connections, busyPoll, seconds, paths, ...load }: Load): Promise<LoadResult> {
  const requests = paths.map((path, index) => {
    const adminKey = load.adminKeys?.[index];
    const headers = {
      host: `127.0.0.1:${port}`,
      ...load.headers,
      ...(adminKey && { 'x-api-key': adminKey }),
    };
    const lines = Object.entries(headers).map(line => line.join(': '));
    return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  });
  const latencies: number[] = [];
  let shed = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  let next = 0;
  return new Promise((resolve, reject) => {
    let open = connections;
    const drive = (connection: Connection) => {
      let sent = 0;
      const answered = (status: number) => {
        const now = performance.now();
        if (status === 200) latencies.push(now - sent);
        else if (status === SHED) shed += 1;
        else return reject(new Error(`the server answered ${status}`));
        if (now < end) return send(now);
        connection.close();
        open -= 1;
        if (open === 0) resolve(resultOf(latencies, shed, now - start));
      };
      const send = (now: number) => {
        sent = now;
        connection.send(requests[next++ % requests.length] as Buffer, answered);
      };
      send(start);
    };
    for (let opened = 0; opened < connections; opened++) drive(new Connection(port, reject));
    const poll = () => {
      if (open > 0) setImmediate(poll);
    };
    if (busyPoll) poll();
  });
}

function resultOf(latencies: number[], shed: number, milliseconds: number): LoadResult {
  const sorted = Float64Array.from(latencies).sort();
  const percentile = (part: number) => sorted[Math.ceil(sorted.length * part) - 1] ?? 0;
  return {
    perSecond: (latencies.length / milliseconds) * 1000,
    shed,
    p50: percentile(0.5),
    p99: percentile(0.99),
  };
}
