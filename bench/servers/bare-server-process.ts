/** A bare `node:http` server that answers every request with the same bytes and headers from memory. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRequests } from '../processes/worker.ts';

export interface RecordedAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

answerRequests(async ({ headers, body }: RecordedAnswer) => {
  const bytes = Buffer.from(body);
  const server = createServer((_, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
});
