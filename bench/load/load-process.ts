/** The process that sends load. Its parent sends it a `Load` and gets a `LoadResult`. */
import { answerRequests } from '../processes/worker.ts';
import { Connection } from './connection.ts';
import type { Load, LoadResult } from './load.ts';

answerRequests(run);

/** The status of an overloaded service. */
const SHED = 503;

/** Repeats the requests in their order until the time is over. Each connection waits for its answer before it sends the next. */
function run({ port, connections, busyPoll, seconds, paths, headers }: Load): Promise<LoadResult> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(line => line.join(': '));
  const head = `HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  const requests = paths.map(path => Buffer.from(`GET ${path} ${head}`));
  let pages = 0;
  let shed = 0;
  const start = performance.now();
  const end = start + seconds * 1000;
  let next = 0;
  return new Promise((resolve, reject) => {
    let open = connections;
    const drive = (connection: Connection) => {
      const send = () => connection.send(requests[next++ % requests.length] as Buffer, answered);
      const answered = (status: number) => {
        const now = performance.now();
        if (status === 200) pages += 1;
        else if (status === SHED) shed += 1;
        else return reject(new Error(`the server answered ${status}`));
        if (now < end) return send();
        connection.close();
        open -= 1;
        if (open === 0) resolve({ perSecond: (pages / (now - start)) * 1000, shed });
      };
      send();
    };
    for (let opened = 0; opened < connections; opened++) drive(new Connection(port, reject));
    const poll = () => {
      if (open > 0) setImmediate(poll);
    };
    if (busyPoll) poll();
  });
}
