import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { LIST_API_KEYS_PATH } from '../../../src/service/api/request.ts';
import { Service } from '../../../src/service/server/service.ts';
import { startStubRosterService } from '../../support/http.ts';
import { VENDOR } from '../../support/roster.ts';
import { stubReader } from '../../support/service.ts';

const { send, sendBytes, lines } = await startStubRosterService({ after });
const MAX_URL = 8 * 1024;
const START = `GET ${LIST_API_KEYS_PATH}`;

describe('a URL', () => {
  const urlOf = (length: number) =>
    `beta=${'a'.repeat(length - LIST_API_KEYS_PATH.length - '?beta='.length)}`;

  test('is accepted with the maximum length, and with one character more refused, for every caller, path and method', async () => {
    assert.equal((await send({ query: urlOf(MAX_URL) })).status, 200);
    const query = urlOf(MAX_URL + 1);
    for (const sent of [{}, { headers: { 'x-api-key': undefined } }, { method: 'HEAD' }, { method: 'POST' }])
      assert.equal((await send({ query, ...sent })).status, 414);
    const { status, body } = await send({ query, path: `/longer${LIST_API_KEYS_PATH}` });
    assert.equal(status, 414);
    assert.equal(body.error.type, 'invalid_request_error');
  });
});

describe('headers', () => {
  const LINES = lines.split('\r\n').length - 1;
  const large: Record<string, string> = {
    'one with a long name': `${'a'.repeat(20_000)}: x\r\n`,
    'more than 1,000 of them, in under 16 KiB': 'a: b\r\n'.repeat(1_001 - LINES),
  };
  for (const [what, header] of Object.entries(large)) {
    test(`are refused when too large: ${what}`, async () => {
      const answer = await sendBytes(`${START} HTTP/1.1\r\n${lines}${header}\r\n`);
      assert.equal(answer.status, 431);
      assert.deepEqual(answer.body.error, { type: 'invalid_request_error', message: 'headers: too large' });
    });
  }

  test('are accepted when there are 1,000', async () => {
    const answer = await sendBytes(`${START} HTTP/1.1\r\n${'a: b\r\n'.repeat(1_000 - LINES)}${lines}\r\n`);
    assert.equal(answer.status, 200);
  });

  // As over a network, whose packets have about 1,400 bytes.
  test('are refused when too large, even when they arrive in pieces and the last piece has no line end', async context => {
    const service = new Service({ roster: stubReader().reader, vendor: VENDOR });
    context.after(() => service.close());
    const url = new URL(await service.listen({ host: '127.0.0.1', port: 0 }));
    const caller = connect(Number(url.port), '127.0.0.1').setNoDelay();
    const [server] = (await once(service.server, 'connection')) as [Socket];
    const answer = text(caller);
    const pieces = [`${START} HTTP/1.1\r\n${lines}x-large: `, ...Array(12).fill('a'.repeat(1_400))];
    let sent = 0;
    for (const piece of pieces) {
      caller.write(piece);
      sent += piece.length;
      while (server.bytesRead < sent) await new Promise(setImmediate);
    }
    assert.match(await answer, /^HTTP\/1\.1 431 /);
  });
});
