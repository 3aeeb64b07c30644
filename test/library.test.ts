import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { KeyrosterClient } from '../src/client/client.ts';
import { createServer } from '../src/library.ts';
import { atEndOf } from './support/scope.ts';
import { numberedKeys, startSeededService } from './support/seeded-service.ts';

test('a mounted service answers under a prefix, writes to the given log, and closes its store', async t => {
  const { database, secret, ids } = await startSeededService(t, numberedKeys(3));
  const lines: string[] = [];
  const keyroster = await createServer({
    database,
    vendor: 'acme',
    log: { write: line => lines.push(line) },
  });
  const server = createHttpServer((request, response) => {
    request.url = request.url?.slice('/keys'.length);
    keyroster.handle(request, response);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  atEndOf(t, () => server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const { apiKeys } = new KeyrosterClient({ baseUrl, adminKey: secret, vendor: 'acme', retries: 0 });
  const page = await apiKeys.list();
  assert.deepEqual(
    page.data.map(({ id }) => id),
    ids,
  );
  assert(lines.some(line => line.includes(String(page.requestId))));
  await assert.rejects(apiKeys.list({ after_id: 'nobody' }), { status: 400 });
  await keyroster.close();
  await assert.rejects(apiKeys.list(), { name: 'KeyrosterError' });
});

test('an invalid option is refused with its name', async () => {
  const database = { name: 'TypeError', message: 'database: must be sqlite:FILE or postgres://…' };
  await assert.rejects(createServer({ database: 'mysql://user:password@host' }), database);
  await assert.rejects(
    createServer({ database: 'sqlite:x.db', vendor: 'A b' }),
    /^TypeError: vendor: must be/,
  );
  for (const rateLimit of [-1, 1.5, Number.NaN, '5' as never])
    await assert.rejects(createServer({ database: 'sqlite:x.db', rateLimit }), {
      name: 'TypeError',
      message: 'rateLimit: must be a whole number from 0 to 1000000',
    });
});
