import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressIsIn, clientAddressBehind, clientNetwork } from '../../../src/service/api/client-address.ts';
import type { ApiRequest } from '../../../src/service/api/request.ts';

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

test('the network of an address is the IPv4 address, however it is written, or the /64 of an IPv6 address', () => {
  const same: Readonly<Record<string, readonly string[]>> = {
    '203.0.113.7': ['203.0.113.7', '203.0.113.7:4711', '::ffff:203.0.113.7', '::ffff:cb00:7107'],
    '203.0.113.8': ['0:0:0:0:0:FFFF:203.0.113.8', '[::ffff:203.0.113.8]:4711'],
    '2001:db8:1:2::/64': [
      '2001:db8:1:2:3:4:5:6',
      '2001:0db8:0001:0002::1',
      '2001:DB8:1:2::1',
      '[2001:db8:1:2::1]',
    ],
    '2001:db8:0:0::/64': ['2001:db8::5:0:0:1'],
    '0:0:0:0::/64': ['::1'],
    'fe80:0:0:0::/64': ['fe80::1%eth0'],
  };
  for (const [network, addresses] of Object.entries(same))
    for (const address of addresses) assert.equal(clientNetwork(address), network, address);
});

test('trusted proxies are addresses and networks, however the address of the peer is written', () => {
  const trusts: [proxies: string[], trusted: string[], others: string[]][] = [
    [['10.0.0.7'], ['10.0.0.7', '10.0.0.7:4711', '::ffff:10.0.0.7'], ['10.0.0.8']],
    [['::ffff:10.0.0.7'], ['10.0.0.7'], []],
    [['192.0.2.1', '10.0.0.0/8'], ['10.255.255.255'], ['11.0.0.0']],
    [['2001:db8::/32'], ['[2001:db8::7]:4711'], ['2001:db9::7']],
    [['fe80::/10'], ['fe80::1%eth0'], []],
    [['0.0.0.0/0'], [], ['unknown']],
  ];
  for (const [proxies, trusted, others] of trusts) {
    for (const address of trusted) assert(addressIsIn(proxies)(address), address);
    for (const address of others) assert(!addressIsIn(proxies)(address), address);
  }
});
