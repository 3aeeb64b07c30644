import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { EMPTY_PAGE } from '../../../src/service/roster/pages/joined-page.ts';
import { MAX_WAITING_REQUESTS } from '../../../src/service/server/limits.ts';
import { pipeline } from '../../support/pipeline.ts';
import { listRequest } from '../../support/raw-corpus.ts';
import { VENDOR } from '../../support/roster.ts';
import { startService, stubReader } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const PLAIN = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';
const CLOSING = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n';

test('the requests of a connection are handled one after another, in their order', async t => {
  let reading = 0;
  let most = 0;
  const { reader, secret, organization } = stubReader({
    listApiKeys: async () => {
      most = Math.max(most, ++reading);
      await wait(1);
      reading -= 1;
      return EMPTY_PAGE;
    },
  });
  const service = await startService(reader);
  t.after(() => service.close());
  const requests = Array.from({ length: 20 }, (_, number) =>
    number % 2 ? listRequest({ organization, secret }, 20) : listRequest({ organization, secret }, 0),
  );
  const { answers } = await pipeline(service.port, requests.join(''), 20);
  assert.deepEqual(
    answers.map(({ status }) => status),
    requests.map((_, number) => (number % 2 ? 200 : 400)),
  );
  assert.equal(most, 1);
});

test('a connection on which too many requests wait is closed, and afterwards others may wait again', async t => {
  const gates: (() => void)[] = [];
  const { reader, secret, organization } = stubReader({
    listApiKeys: async () => {
      await new Promise<void>(resolve => gates.push(resolve));
      return EMPTY_PAGE;
    },
  });
  const service = await startService(reader, VENDOR);
  t.after(() => service.close());
  const first = listRequest({ organization, secret }, 20);
  for (let round = 0; round < 2; round++) {
    const socket = connect(service.port, '127.0.0.1').on('error', () => {});
    socket.write(first + PLAIN.repeat(MAX_WAITING_REQUESTS + 1));
    await once(socket.resume(), 'close');
    for (const open of gates.splice(0)) open();

    const waiting = connect(service.port, '127.0.0.1');
    waiting.write(first + CLOSING);
    await until('a request waits', () => gates.length > 0);
    for (const open of gates.splice(0)) open();
    assert.equal((await text(waiting)).match(/HTTP\/1.1 200 /g)?.length, 2);
  }
});
