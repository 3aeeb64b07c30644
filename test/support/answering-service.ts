import { createServer, type RequestListener } from 'node:http';
import { listen } from './listen.ts';
import type { Scope } from './scope.ts';

/** Starts a service that answers every request as this listener does. Returns its base URL. */
export async function startAnsweringService(scope: Scope, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await listen(scope, server);
  return `http://127.0.0.1:${port}`;
}

/** Starts a stub service that lists these records page by page, valid or not. Returns its base URL. */
export async function startStubService(scope: Scope, records: readonly object[]): Promise<string> {
  const all = records as readonly { id: string }[];
  return startAnsweringService(scope, (request, response) => {
    const query = new URL(request.url ?? '', 'http://stub').searchParams;
    const start = all.findIndex(({ id }) => id === query.get('after_id')) + 1;
    const data = all.slice(start, start + Number(query.get('limit')));
    const has_more = start + data.length < all.length;
    const page = { data, first_id: data.at(0)?.id ?? null, last_id: data.at(-1)?.id ?? null, has_more };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  });
}
