import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { processMetrics } from '../../../src/service/server/metrics-server.ts';
import { VENDOR } from '../../support/roster.ts';
import { startService, stubReader } from '../../support/service.ts';

const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n';

test('a connection over the limit is closed at once and counted; when one ends, a new one is accepted', async t => {
  const metrics = processMetrics();
  const service = await startService(stubReader().reader, VENDOR, { maxConnections: 1, metrics });
  t.after(() => service.close());
  const first = connect(service.port, '127.0.0.1');
  first.write(REQUEST);
  await once(first, 'data');

  assert.equal(await text(connect(service.port, '127.0.0.1')), '');
  assert.match(await metrics.registry.metrics(), /^keyroster_refused_connections_total 1$/m);

  first.end();
  await once(first, 'close');
  const next = connect(service.port, '127.0.0.1');
  next.write(REQUEST);
  assert.match(String(await once(next, 'data')), /^HTTP\/1.1 200 /);
  next.destroy();
});

test('an idle connection is kept for longer than a proxy keeps it, and says for how long', async t => {
  const service = await startService(stubReader().reader);
  t.after(() => service.close());
  const socket = connect(service.port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write(REQUEST);
  assert.match(String(await once(socket, 'data')), /^HTTP\/1.1 200 .*^Keep-Alive: timeout=75\r$/ms);
});
