import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientNetwork } from '../../src/server/client-network.ts';

const same: [string, string, string][] = [
  ['an IPv4 address stands for itself', '203.0.113.7', '203.0.113.7'],
  ['also one that comes as IPv6', '::ffff:203.0.113.7', '203.0.113.7'],
  ['an IPv6 address stands for its /64', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['whatever is shortened in it', '2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['where the network itself is shortened', '2001:db8::5:0:0:1', '2001:db8:0:0::/64'],
  ['at its beginning', '::1', '0:0:0:0::/64'],
  ['with zeros in front of its groups', '2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
  ['in capitals', '2001:DB8:1:2::1', '2001:db8:1:2::/64'],
  ['with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
];

for (const [what, address, network] of same) {
  test(`${what}: ${address}`, () => assert.equal(clientNetwork(address), network));
}
