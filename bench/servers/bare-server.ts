import type { Target } from '../load/load.ts';
import { Worker } from '../processes/worker.ts';
import type { RecordedAnswer } from './bare-server-process.ts';
import { type Answer, requestPage } from './server.ts';

/** Headers that Node adds to every answer. */
const OF_NODE = ['date', 'connection', 'keep-alive'];

/** Runs a bare server that sends the service's answer to this query: the most that any server with this answer can reach. */
export async function withBareServer<T>(
  service: Target,
  query: string,
  work: (bareServer: Target) => Promise<T>,
): Promise<T> {
  const recorded = await requestPage(service, query);
  const worker = new Worker(new URL('./bare-server-process.ts', import.meta.url));
  try {
    const headers = namesAndValues(recorded).filter(([name]) => !OF_NODE.includes(name.toLowerCase()));
    const answer: RecordedAnswer = { headers: Object.fromEntries(headers), body: recorded.body.toString() };
    const { port } = await worker.request<{ port: number }>(answer);
    const bareServer = { port, headers: service.headers };
    requireSame(recorded, await requestPage(bareServer, query));
    return await work(bareServer);
  } finally {
    worker.end();
  }
}

function namesAndValues({ rawHeaders }: Answer): [name: string, value: string][] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []));
}

function requireSame(service: Answer, bareServer: Answer): void {
  const headersOf = (answer: Answer) =>
    namesAndValues(answer)
      .map(([name, value]) => `${name} ${value.length}`)
      .sort()
      .join('\n');
  const [expected, actual] = [headersOf(service), headersOf(bareServer)];
  if (expected !== actual || !service.body.equals(bareServer.body))
    throw new Error(`the bare server's answer differs:\n${expected}\n\n${actual}`);
}
