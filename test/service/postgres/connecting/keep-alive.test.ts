import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { openClient } from '../../../../src/service/postgres/connecting/connection.ts';
import { parsePostgresUrl } from '../../../../src/service/postgres/connecting/url.ts';
import { atEndOf } from '../../../support/scope.ts';
import { createDatabase } from '../../../support/stores.ts';
import { until } from '../../../support/until.ts';

const TCP = '/proc/net/tcp';
/** The system's timer of a connection that is idle: which of its timers, and hundredths of a second. */
const TIMER = / 02:([0-9A-F]{8}) /;
const MAX_SECONDS = 60;

test('an idle connection is kept alive before a firewall forgets it', {
  skip: !existsSync(TCP) && 'needs /proc',
}, async t => {
  const { url, remove } = await createDatabase();
  atEndOf(t, remove);
  const client = await openClient(parsePostgresUrl(url));
  atEndOf(t, () => client.end());
  const { localPort, remotePort } = client.connection.stream as Socket;
  const hex = (port = 0) => port.toString(16).toUpperCase().padStart(4, '0');
  const line = new RegExp(`:${hex(localPort)} [0-9A-F]{8}:${hex(remotePort)} .*`);
  let seconds = Number.NaN;
  await until('the timer runs', () => {
    const [found = ''] = line.exec(readFileSync(TCP, 'utf8')) ?? [];
    seconds = Number.parseInt(TIMER.exec(found)?.[1] ?? '', 16) / 100;
    return seconds > 0;
  });
  assert.ok(seconds <= MAX_SECONDS, `${seconds} s`);
});
