/** Connections that stay open while they send slowly or nothing. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import { connectSecurely } from './certificate.ts';
import { listRequest } from './raw-corpus.ts';
import type { Tenant } from './service-process.ts';

/** So often that no connection is closed because of the time between two bytes. */
const BYTE_EVERY_MS = 250;

interface SlowKind {
  readonly what: string;
  /** Sent at once. */
  readonly first: string;
  /** Sent byte by byte and repeated, as long as the connection is open. */
  readonly drip?: string;
}

/** Which a timeout closes within seconds. */
export function slowKinds(tenant: Tenant): SlowKind[] {
  const request = listRequest(tenant, 1);
  const post = `POST ${LIST_API_KEYS_PATH} HTTP/1.1\r\nhost: localhost\r\n`;
  return [
    { what: 'that send nothing', first: '' },
    { what: 'that send the request line byte by byte', first: '', drip: request },
    { what: 'that send headers byte by byte', first: request.slice(0, -2), drip: 'x: y\r\n' },
    { what: 'that send half a request', first: request.slice(0, -20) },
    { what: 'that send half a body', first: `${post}content-length: 1000\r\n\r\n` },
    { what: 'that send a body byte by byte', first: `${post}content-length: 1000\r\n\r\n`, drip: 'x' },
    {
      what: 'that send chunks byte by byte',
      first: `${post}transfer-encoding: chunked\r\n\r\n`,
      drip: '1\r\nx\r\n',
    },
    { what: 'that were used once and send the next request byte by byte', first: request, drip: request },
    {
      what: 'that were upgraded and are idle',
      first: request.replace(/\r\n$/, 'connection: upgrade\r\nupgrade: x\r\n\r\n'),
    },
    { what: 'that send empty lines', first: '', drip: '\r\n' },
  ];
}

/** The beginning of a TLS record: a handshake message of 512 bytes, which never comes whole. */
const START_OF_CLIENT_HELLO = '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03';

/** For a port with TLS, on connections without. */
export function slowHandshakes(): SlowKind[] {
  return [
    { what: 'that begin no TLS handshake', first: '' },
    { what: 'that begin a TLS handshake and send nothing more', first: START_OF_CLIENT_HELLO },
    { what: 'that send a TLS handshake byte by byte', first: START_OF_CLIENT_HELLO, drip: 'x' },
  ];
}

/**
 * Opens this many connections, with TLS when the service's certificate is given. Each promise resolves with the milliseconds
 * until the connection is closed.
 */
export async function openSlowly(
  port: number,
  { first, drip = '' }: SlowKind,
  count: number,
  cert?: string,
): Promise<Promise<number>[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => connected(port, cert)));
  return sockets.map(async socket => {
    const start = performance.now();
    // Not `once`, which rejects on an error, such as a byte written while the service closes the connection.
    const end = new Promise<number>(resolve => socket.on('close', () => resolve(performance.now() - start)));
    socket.write(first, 'latin1');
    for (let at = 0; drip && !socket.destroyed; at++) {
      socket.write(drip.charAt(at % drip.length));
      await Promise.race([end, setTimeout(BYTE_EVERY_MS)]);
    }
    return end;
  });
}

async function connected(port: number, cert: string | undefined): Promise<Socket> {
  if (cert) return (await connectSecurely(port, cert)).resume();
  const socket = connect(port, '127.0.0.1').on('error', () => {}); // written to after the service has closed
  await once(socket.resume(), 'connect');
  return socket;
}
