import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Client } from 'pg';
import { guardProtocol } from '../../../../src/service/postgres/connecting/guard-protocol.ts';

test('a connection that says there are more rows is closed, as all answers after it would be those before', () => {
  const client = new Client({ stream: () => new PassThrough() });
  guardProtocol(client, 1000);
  const { connection } = client;
  connection.emit('portalSuspended');
  assert.equal(connection.stream.destroyed, true);
});
