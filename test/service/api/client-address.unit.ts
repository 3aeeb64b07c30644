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

const same: [string, string, string][] = [
  ['an IPv4 address is its own network', '203.0.113.7', '203.0.113.7'],
  ['an IPv4 address written as IPv6 is the IPv4 address', '::ffff:203.0.113.7', '203.0.113.7'],
  ['an IPv4 address written as IPv6 in hexadecimal is the IPv4 address', '::ffff:cb00:7107', '203.0.113.7'],
  [
    'an IPv4 address written as IPv6 in full is the IPv4 address',
    '0:0:0:0:0:FFFF:203.0.113.7',
    '203.0.113.7',
  ],
  ['an IPv6 address belongs to its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['an IPv6 address shortened inside its network is expanded', '2001:db8::5:0:0:1', '2001:db8:0:0::/64'],
  ['an IPv6 address shortened at its start is expanded', '::1', '0:0:0:0::/64'],
  ['leading zeros of a group are dropped', '2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['an upper-case IPv6 address is lower-cased', '2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['the zone of an IPv6 address is dropped', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['the port of an IPv4 address is dropped', '203.0.113.7:4711', '203.0.113.7'],
  ['the brackets of an IPv6 address are dropped', '[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['the port of an IPv4 address written as IPv6 is dropped', '[::ffff:203.0.113.7]:4711', '203.0.113.7'],
];

for (const [what, address, network] of same) {
  test(`${what}: ${address}`, () => assert.equal(clientNetwork(address), network));
}

const trusts: [what: string, proxies: string[], address: string, trusted: boolean][] = [
  ['an address', ['10.0.0.7'], '10.0.0.7', true],
  ['an address with a port', ['10.0.0.7'], '10.0.0.7:4711', true],
  ['an address written as IPv6', ['10.0.0.7'], '::ffff:10.0.0.7', true],
  ['an address given as IPv6', ['::ffff:10.0.0.7'], '10.0.0.7', true],
  ['another address', ['10.0.0.7'], '10.0.0.8', false],
  ['an address in a network', ['192.0.2.1', '10.0.0.0/8'], '10.255.255.255', true],
  ['an address outside of the network', ['10.0.0.0/8'], '11.0.0.0', false],
  ['an IPv6 address in a network', ['2001:db8::/32'], '[2001:db8::7]:4711', true],
  ['an IPv6 address with a zone', ['fe80::/10'], 'fe80::1%eth0', true],
  ['an IPv6 address outside of the network', ['2001:db8::/32'], '2001:db9::7', false],
  ['no address', ['0.0.0.0/0'], 'unknown', false],
];

for (const [what, proxies, address, trusted] of trusts) {
  test(`the trusted proxies ${proxies} ${trusted ? 'have' : "don't have"} ${what}: ${address}`, () => {
    assert.equal(addressIsIn(proxies)(address), trusted);
  });
}
