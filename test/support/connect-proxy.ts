/** A proxy as companies have it: it connects to a service (`CONNECT`), or passes on a request over plain HTTP. */
import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { listen } from './listen.ts';
import { atEndOf, type Scope } from './scope.ts';

/**
 * @param target the port on this machine that stands for each host.
 * @param status what it answers; at 200 it connects.
 */
export async function startConnectProxy(scope: Scope, target: number, status = 200) {
  /** What it was asked for, with the credentials that came along. */
  const asked: string[] = [];
  const note = ({ method, url, headers }: IncomingMessage) => {
    const credentials = String(headers['proxy-authorization'] ?? '').replace('Basic ', '');
    asked.push(`${method} ${url} ${Buffer.from(credentials, 'base64')}`.trim());
  };
  const server = createServer((incoming, response) => {
    note(incoming);
    if (status !== 200) return response.writeHead(status).end('the proxy refuses');
    const { pathname, search } = new URL(String(incoming.url));
    const { headers } = incoming;
    request({ host: '127.0.0.1', port: target, path: pathname + search, headers }, answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    }).end();
  });
  server.on('connect', (incoming, socket) => {
    note(incoming);
    socket.on('error', () => {});
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    const upstream = connect(target, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    atEndOf(scope, () => upstream.destroy());
  });
  return { port: await listen(scope, server), asked };
}
