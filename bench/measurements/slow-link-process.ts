/**
 * Walks a roster by our client over the network that this process is in, compressed and not: its parent has made it slow.
 * `node bench/measurements/slow-link-process.ts STORE SECRET KEYS` prints `LinkWalk[]` as JSON.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { KeyrosterClient } from '../../src/client/client.ts';
import { withService } from '../servers/service.ts';

export interface LinkWalk {
  readonly coding: string;
  /** In milliseconds, besides that of the link. */
  readonly roundTrip: number;
  readonly seconds: number;
}

const ROUNDS = { 0: 3, 40: 1 };

const [file = '', secret = '', keys = ''] = process.argv.slice(2);

await withService(`sqlite:${file}`, secret, async ({ port }) => {
  const walks: LinkWalk[] = [];
  await walk(port, 'zstd', 0); // warms both up
  for (const [milliseconds, rounds] of Object.entries(ROUNDS)) {
    const roundTrip = Number(milliseconds);
    for (let round = 0; round < rounds; round++)
      for (const coding of ['identity', 'zstd'])
        walks.push({ coding, roundTrip, seconds: await walk(port, coding, roundTrip) });
  }
  process.stdout.write(JSON.stringify(walks));
});

/** In seconds. */
async function walk(port: number, coding: string, roundTrip: number): Promise<number> {
  const client = new KeyrosterClient({
    baseUrl: `http://127.0.0.1:${port}`,
    adminKey: secret,
    fetch: async (url, init) => {
      if (roundTrip > 0) await wait(roundTrip);
      return fetch(url, { ...init, headers: { ...init?.headers, 'accept-encoding': coding } });
    },
  });
  const start = performance.now();
  let read = 0;
  for await (const { data } of client.apiKeys.pages({ limit: 1_000 })) {
    read += data.length;
    if (read >= Number(keys)) break;
  }
  return (performance.now() - start) / 1000;
}
