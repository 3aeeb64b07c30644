/** What arrives from PostgreSQL is garbled on its way. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { newStore, writerOf } from '../../support/opened.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { serveStore } from '../../support/service.ts';
import { storeAt } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

type Garble = (piece: Buffer) => Buffer;

/** A proxy that passes what PostgreSQL sends through a function. */
async function garblingProxy(scope: Scope, target: string) {
  const url = new URL(target);
  const port = Number(url.port);
  let garble: Garble = piece => piece;
  const server = createServer(client => {
    const upstream = connect(port, '127.0.0.1');
    client.on('error', () => {}).on('close', () => upstream.destroy());
    upstream.on('error', () => {}).on('close', () => client.destroy());
    client.on('data', piece => upstream.write(piece));
    upstream.on('data', piece => client.write(garble(piece as Buffer)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEndOf(scope, () => server.close());
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    garble(next: Garble) {
      garble = next;
    },
  };
}

const announced = (type: string, length: number) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(length, 1);
  return head;
};

const kinds: Record<string, Garble> = {
  'a row that ends within itself': () => Buffer.concat([announced('D', 6), Buffer.from([0, 9])]),
  'a row that nobody asked for': piece => Buffer.concat([announced('D', 6), Buffer.from([0, 0]), piece]),
};

/** A service that was answered once, then garbled, then not any more. */
for (const [what, garble] of Object.entries(kinds))
  test(`a garbled answer of PostgreSQL does not end the service, which connects again: ${what}`, async t => {
    const store = await newStore(t);
    const writer = await writerOf(t, store);
    const { id, secret } = await createOrganization(writer);
    await importKeys(writer, id, numberedKeys(50));
    const proxy = await garblingProxy(t, store.url);
    const service = await serveStore(t, storeAt(proxy.url));
    const page = (await service.list(secret)).body;
    assert.equal(page.data.length, 20);
    proxy.garble(garble);
    for (const { status } of await Promise.all([1, 2, 3].map(() => service.list(secret))))
      assert([200, 401, 503].includes(status), String(status));
    proxy.garble(piece => piece);
    const answer = await until('a page is answered', async () => {
      const answer = await service.list(secret);
      return answer.status === 200 && answer;
    });
    assert.deepEqual(answer.body, page);
  });
