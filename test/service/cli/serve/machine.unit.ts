import assert from 'node:assert/strict';
import { test } from 'node:test';
import { machineWarnings } from '../../../../src/service/cli/serve/machine.ts';

test('too little memory is told with what the service may take, and enough of all with nothing', () => {
  assert.deepEqual(machineWarnings(1, 1), []);
  const [warning = '', ...more] = machineWarnings(1, 1_000_000);
  assert.match(
    warning,
    /^there are \d+ MB of memory, less than the 300000000 MB that the service may take: give it more, or lower --workers$/,
  );
  assert.deepEqual(more, []);
});
