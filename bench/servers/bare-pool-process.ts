/**
 * A bare `node:http` server over the pool of `pg`, which runs the service's statement for a page and checks nothing.
 * `node bare-pool-process.ts URL`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { pageStatement } from '../../src/service/postgres/pages/page-sql.ts';
import { READER_SETTINGS } from '../../src/service/postgres/pages/reads.ts';
import { FEW } from '../load/load.ts';
import { answerRequests } from '../processes/worker.ts';
import { ORGANIZATION } from '../roster/store.ts';

const pool = new Pool({
  connectionString: process.argv[2],
  max: FEW.connections,
  types: { getTypeParser: () => (text: string) => text }, // as the service has it
  onConnect: async client => void (await client.query(READER_SETTINGS)),
});

const server = createServer(async ({ url = '' }, response) => {
  const query = new URLSearchParams(url.split('?')[1]);
  const cursor = query.get('after_id');
  const { joined, parameters } = pageStatement({ filters: [], direction: cursor === null ? null : 'after' });
  const known: Record<string, unknown> = {
    organization: ORGANIZATION,
    rows: Number(query.get('limit') ?? 20) + 1,
    cursor,
  };
  const values = parameters.map(parameter => known[parameter]);
  const { rows } = await pool.query({ ...joined, values, rowMode: 'array' });
  const body = Buffer.from(`{"data":[${rows[0]?.[1]}],"has_more":true}`);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});

answerRequests(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
});
