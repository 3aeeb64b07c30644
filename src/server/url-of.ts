import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as TlsServer } from 'node:tls';

/** The base URL of a server that listens; of one on a Unix socket `unix:` and its path. */
export function urlOf(server: Server): string {
  const listening = server.address() as AddressInfo | string;
  if (typeof listening === 'string') return `unix:${listening}`;
  const { family, address, port } = listening;
  const scheme = server instanceof TlsServer ? 'https' : 'http';
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
