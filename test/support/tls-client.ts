import { once } from 'node:events';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';

/** The type of `connect` lacks the last one. */
export type ClientOptions = ConnectionOptions & { readonly allowHalfOpen?: boolean };

/** Connects to a service on this machine that has this certificate, and waits for the handshake. Rejects when it fails. */
export async function connectSecurely(
  port: number,
  cert: string,
  options: ClientOptions = {},
): Promise<TLSSocket> {
  const socket = connect(port, '127.0.0.1', { ca: cert, ...options });
  await once(socket, 'secureConnect');
  return socket.on('error', () => {}); // a reset after the answer: what was received before counts
}
