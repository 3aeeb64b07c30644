/**
 * The bare driver: one pipelined connection of `pg` that runs one of the service's prepared statements, without the service
 * around it. `node bare-driver-process.ts URL`; its parent sends it `Queries`.
 */
import { Client } from 'pg';
import { READER_SETTINGS } from '../../src/service/postgres/pages/reads.ts';
import { answerRequests } from '../processes/worker.ts';

export interface Queries {
  readonly name: string;
  readonly text: string;
  /** The values of each query in turn, from the first again after the last. */
  readonly values: readonly (readonly unknown[])[];
  readonly seconds: number;
  /** Queries in flight at any time. */
  readonly concurrency: number;
}

const client = new Client({
  connectionString: process.argv[2],
  pipeline: true,
  types: { getTypeParser: () => (text: string) => text }, // as the service has it
});
const ready = client.connect().then(() => client.query(READER_SETTINGS));

answerRequests(async ({ name, text, values, seconds, concurrency }: Queries) => {
  await ready;
  const start = performance.now();
  const end = start + seconds * 1000;
  let sent = 0;
  const queryRepeatedly = async () => {
    while (performance.now() < end) {
      await client.query({
        name,
        text,
        values: [...(values[sent++ % values.length] ?? [])],
        rowMode: 'array',
      });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, queryRepeatedly));
  return { perSecond: (sent / (performance.now() - start)) * 1000 };
});
