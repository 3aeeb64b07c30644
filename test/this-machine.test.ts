import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isThisMachine } from '../src/this-machine.ts';

test('what is sent to a loopback name or address stays on this machine, and to any other host it may not', () => {
  const hosts = {
    localhost: true,
    'LOCALHOST.': true,
    'keys.localhost': true,
    '127.0.0.1': true,
    '127.1.2.3': true,
    '::1': true,
    '[::1]': true,
    '::ffff:127.0.0.1': true,
    '0.0.0.0': false,
    '::': false,
    '[::]': false,
    '10.0.0.1': false,
    '::ffff:10.0.0.1': false,
    'example.com': false,
    'localhost.example.com': false,
    notlocalhost: false,
    '127.0.0.1.example.com': false,
    '': false,
  };
  for (const [host, expected] of Object.entries(hosts)) assert.equal(isThisMachine(host), expected, host);
});
