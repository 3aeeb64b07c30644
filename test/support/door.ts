/**
 * The way in which the services of the tests are mounted: by `serve`, or as the library in a server of another's. The tests of
 * the API pass over each of them (test/api/doors.test.ts).
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Keyroster } from '../../src/library.ts';

export const DOORS = ['serve', 'handle', 'fetch'] as const;
export type Door = (typeof DOORS)[number];

/** The environment variable that chooses the door. */
export const DOOR = 'KEYROSTER_TEST_DOOR';

export const door: Door = DOORS.find(each => each === process.env[DOOR]) ?? 'serve';

/** For a test that can't pass over these doors. */
export function notBy(doors: readonly Door[], reason: string): { readonly skip: string | false } {
  return { skip: doors.includes(door) && `not by ${door}: ${reason}` };
}

/** A server with no settings of ours. Between it and `fetch` is a bridge that isn't ours either. */
export function serverOfAnother({ handle, fetch }: Pick<Keyroster, 'handle' | 'fetch'>): Server {
  const answerByFetch = getRequestListener((request, { incoming }) =>
    fetch(request, { clientAddress: incoming.socket.remoteAddress }),
  );
  return createServer(door === 'fetch' ? (answerByFetch as RequestListener) : handle);
}
