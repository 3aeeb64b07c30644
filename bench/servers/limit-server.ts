/** A bare `node:http` server that answers the same bytes with the same headers from memory, whatever is asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from '../load/worker.ts';

export interface Recorded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

answer(async ({ headers, body }: Recorded) => {
  const bytes = Buffer.from(body);
  const server = createServer((_, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
});
