import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAdminKeyNetworks, parseNetworks } from '../../../src/service/roster/network.ts';

test('networks are addresses and networks of both families, separated by commas', () => {
  const networks = ['10.0.0.7', '10.0.0.0/8', '2001:db8::/32', '::1'];
  assert.deepEqual(parseNetworks(networks.join(', ')), networks);
  for (const text of ['', ',', '10.0.0.7,', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0'])
    assert.equal(parseNetworks(text), undefined, text);
});

test('those of an admin key are at most 20, without zones', () => {
  const addresses = (count: number) => Array.from({ length: count }, (_, host) => `10.0.0.${host}`);
  assert.deepEqual(parseAdminKeyNetworks(addresses(20).join(',')), addresses(20));
  assert.equal(parseAdminKeyNetworks(addresses(21).join(',')), undefined);
  assert.equal(parseAdminKeyNetworks('fe80::1%eth0'), undefined);
});
