import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isThisMachine } from '../../src/shared/this-machine.ts';

test('what is sent to a loopback name or address stays on this machine, and to any other host it may not', () => {
  const here = 'localhost LOCALHOST. keys.localhost 127.0.0.1 127.1.2.3 ::1 [::1] ::ffff:127.0.0.1'.split(
    ' ',
  );
  const away =
    '0.0.0.0 :: [::] 10.0.0.1 ::ffff:10.0.0.1 example.com localhost.example.com notlocalhost'.split(' ');
  for (const host of here) assert.equal(isThisMachine(host), true, host);
  for (const host of [...away, '127.0.0.1.example.com', '']) assert.equal(isThisMachine(host), false, host);
});
