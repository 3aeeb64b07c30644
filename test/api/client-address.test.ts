import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientAddressBehind } from '../../src/api/client-address.ts';
import type { ApiRequest } from '../../src/api/request.ts';

const addressOf = (proxies: string[], peerAddress: string | undefined, forwarded?: string) =>
  clientAddressBehind(proxies)({ peerAddress, header: () => forwarded } as Partial<ApiRequest> as ApiRequest);

describe('the client address', () => {
  test('is the nearest that is no trusted proxy, or the farthest where all are', () => {
    const proxies = ['127.0.0.1', '10.0.0.0/8'];
    assert.equal(addressOf(proxies, '127.0.0.1', '192.0.2.1, 198.51.100.7, 10.0.0.9'), '198.51.100.7');
    assert.equal(addressOf(proxies, '127.0.0.1', '10.0.0.8, 10.0.0.9'), '10.0.0.8');
    assert.equal(addressOf(proxies, '127.0.0.1'), '127.0.0.1');
    assert.equal(addressOf(proxies, '127.0.0.1', ' , '), '127.0.0.1');
  });

  test('of a peer that is no trusted proxy, or is unknown, is never what it says itself', () => {
    for (const peer of ['203.0.113.7', undefined, '', 'unknown'])
      for (const forwarded of ['10.1.2.3', '10.1.2.3, 10.0.0.9', '198.51.100.7'])
        assert.equal(addressOf(['10.0.0.0/8'], peer, forwarded), peer === '203.0.113.7' ? peer : undefined);
    assert.equal(addressOf(['0.0.0.0/0', '::/0'], undefined, '10.1.2.3'), undefined);
  });

  test('has one spelling, and is unknown where a proxy tells no address', () => {
    assert.equal(addressOf([], '::ffff:203.0.113.7'), '203.0.113.7');
    for (const [forwarded, client] of [
      ['203.0.113.7:4711', '203.0.113.7'],
      ['[2001:DB8::0001]:4711', '2001:db8::1'],
      ['10.1.2.3, unix:', undefined],
      ['10.1.2.3, unknown', undefined],
    ] as const)
      assert.equal(addressOf(['127.0.0.1'], '127.0.0.1', forwarded), client);
  });
});
