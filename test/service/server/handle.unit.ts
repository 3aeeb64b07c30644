import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { adminKeyAuthentication } from '../../../src/service/api/admin-keys.ts';
import { createApi } from '../../../src/service/api/api.ts';
import { HEALTH_PATH } from '../../../src/service/api/request.ts';
import { handle } from '../../../src/service/server/handle.ts';
import { VENDOR } from '../../support/roster.ts';
import { stubReader } from '../../support/service.ts';

/** A request and its response, which waits behind others on their connection. */
function waiting(writeHead = () => {}) {
  const lines: string[] = [];
  const { reader } = stubReader();
  const api = createApi({
    roster: reader,
    authentication: adminKeyAuthentication(reader, {}),
    vendor: VENDOR,
    log: { level: 'info', destination: { write: line => void lines.push(line) } },
  });
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false,
    destroy() {
      socket.destroyed = true;
      socket.emit('close');
    },
  });
  const request = {
    ...{ method: 'GET', url: HEALTH_PATH, httpVersion: '1.1', socket },
    ...{ headers: { host: 'localhost' }, rawHeaders: ['Host', 'localhost'] },
  };
  const response = Object.assign(new EventEmitter(), {
    ...{ headersSent: false, destroyed: false, closed: false, writableFinished: false, socket: null },
    ...{ writableLength: 0, writeHead, write: () => {}, end: () => {} },
  });
  return { handled: handle(api, request, response), socket, lines };
}

test('a response that waits for its turn ends with its connection, also where Node does not close it', async () => {
  const { handled, socket, lines } = waiting();
  await new Promise(setImmediate);
  socket.destroy();
  await handled;
  assert.equal(JSON.parse(lines[0] ?? '').status, 499);
  assert.equal(socket.listenerCount('close'), 0);
});

test('a response that code around this one has broken ends its connection, and the log says so', async () => {
  const { handled, socket, lines } = waiting(() => {
    throw new Error('an invalid header');
  });
  await handled;
  assert.equal(socket.destroyed, true);
  assert.deepEqual(
    lines.map(line => JSON.parse(line)).map(({ msg, status }) => [msg, status]),
    [
      ['the answer could not be sent', undefined],
      ['request', 499],
    ],
  );
});
