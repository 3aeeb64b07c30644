/**
 * The bare driver: one connection of `pg`, pipelined, that runs a statement of the service's as the service prepares it,
 * with nothing around it. `node postgres-driver.ts URL`, then it is asked for `Queries`.
 */
import { Client } from 'pg';
import { clientConfig } from '../../src/postgres/connection.ts';
import { READER_SETTINGS } from '../../src/postgres/serving/pipelined-connection.ts';
import { answer } from '../load/worker.ts';

export interface Queries {
  readonly name: string;
  readonly text: string;
  /** For each query in turn, again and again. */
  readonly values: readonly (readonly unknown[])[];
  readonly seconds: number;
  readonly underWay: number;
}

const client = new Client(clientConfig(process.argv[2] ?? '', { pipeline: true }));
const ready = client.connect().then(() => client.query(READER_SETTINGS));

answer(async ({ name, text, values, seconds, underWay }: Queries) => {
  await ready;
  const start = performance.now();
  const end = start + seconds * 1000;
  let sent = 0;
  const queryOn = async () => {
    while (performance.now() < end) {
      await client.query({
        name,
        text,
        values: [...(values[sent++ % values.length] ?? [])],
        rowMode: 'array',
      });
    }
  };
  await Promise.all(Array.from({ length: underWay }, queryOn));
  return { perSecond: (sent / (performance.now() - start)) * 1000 };
});
