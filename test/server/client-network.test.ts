import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork } from '../../src/server/client-network.ts';

const same: [string, string, string][] = [
  ['an IPv4 address is its own network', '203.0.113.7', '203.0.113.7'],
  ['an IPv4 address written as IPv6 is the IPv4 address', '::ffff:203.0.113.7', '203.0.113.7'],
  ['an IPv6 address belongs to its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['a shortened IPv6 address belongs to its /64', '2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['an IPv6 address shortened inside its network is expanded', '2001:db8::5:0:0:1', '2001:db8:0:0::/64'],
  ['an IPv6 address shortened at its start is expanded', '::1', '0:0:0:0::/64'],
  ['leading zeros of a group are dropped', '2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['an upper-case IPv6 address is lower-cased', '2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['the zone of an IPv6 address is dropped', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
];

for (const [what, address, network] of same) {
  test(`${what}: ${address}`, () => assert.equal(clientNetwork(address), network));
}
