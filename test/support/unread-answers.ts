/** Clients that request and don't read what is answered. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ApiKey } from '../../src/roster/api-key.ts';
import { numberedKeys } from './seeded-service.ts';

/** Keys whose names are as long as names may be: 1,000 of them are a page of over 4 MB. */
export const keysWithLongNames = (count: number): ApiKey[] =>
  numberedKeys(count).map(key => ({ ...key, name: '😀'.repeat(1_000) }));

/** Sends these bytes on each of so many new connections, and reads nothing until the caller does. */
export async function sendUnread(port: number, bytes: string, connections: number): Promise<Socket[]> {
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    return socket.pause();
  });
  await Promise.all(sockets.map(socket => once(socket, 'connect')));
  await wait(100); // until the service has accepted them all
  for (const socket of sockets) socket.write(bytes);
  return sockets;
}

/** The most memory that the process ever had, in MB (Linux). */
export function peakResidentMb(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
