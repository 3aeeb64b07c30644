import type { Target } from '../load/load.ts';
import { Worker } from '../load/worker.ts';
import type { Recorded } from './limit-server.ts';
import { type Answer, page } from './service.ts';

/** What Node adds by itself, for the service as for the limit. */
const OF_NODE = ['date', 'connection', 'keep-alive'];

/** Runs the limit of a service's answer to this query: a server that has nothing to do but send it. */
export async function withLimit<T>(
  service: Target,
  query: string,
  work: (limit: Target) => Promise<T>,
): Promise<T> {
  const recorded = await page(service, query);
  const server = new Worker(new URL('./limit-server.ts', import.meta.url));
  try {
    const headers = namesAndValues(recorded).filter(([name]) => !OF_NODE.includes(name.toLowerCase()));
    const answer: Recorded = { headers: Object.fromEntries(headers), body: recorded.body.toString() };
    const limit = { ...(await server.ask<{ port: number }>(answer)), headers: service.headers };
    requireSame(recorded, await page(limit, query));
    return await work(limit);
  } finally {
    server.end();
  }
}

function namesAndValues({ rawHeaders }: Answer): [name: string, value: string][] {
  return rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []));
}

function requireSame(service: Answer, limit: Answer): void {
  const shape = (answer: Answer) =>
    namesAndValues(answer)
      .map(([name, value]) => `${name} ${value.length}`)
      .sort()
      .join('\n');
  if (shape(service) !== shape(limit) || !service.body.equals(limit.body))
    throw new Error(`the limit answers something else:\n${shape(service)}\n\n${shape(limit)}`);
}
