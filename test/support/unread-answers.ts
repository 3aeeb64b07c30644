/** Clients that request and don't read what is answered. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import { numberedKeys } from './seeded-service.ts';

/** Keys whose names are as long as names may be: 1,000 of them are a page of over 4 MB. */
export const keysWithLongNames = (count: number): ApiKey[] =>
  numberedKeys(count).map(key => ({ ...key, name: '😀'.repeat(1_000) }));

/** Sends these bytes on each of so many new connections at a time, and reads nothing until the caller does. */
export async function sendUnread(port: number, bytes: string, connections: number): Promise<Socket[]> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => acceptedConnection(port)));
  for (const socket of sockets) socket.write(bytes);
  return sockets;
}

/** A connection that the service has accepted: Node accepts one in each turn of the event loop, so that may take a while. */
async function acceptedConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write('HEAD /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(socket, 'data');
  return socket.pause();
}

/** The most memory that the process ever had, in MB (Linux). */
export function peakResidentMb(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
