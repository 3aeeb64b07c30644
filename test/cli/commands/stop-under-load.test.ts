import { test } from 'node:test';
import { assertGracefulStop, stopUnderLoad, storeForServices } from '../../support/stop-under-load.ts';

test('serve, stopped under load, answers every request that it accepted', async t => {
  const roster = await storeForServices(t);
  for (const afterMs of [0, 150]) assertGracefulStop(await stopUnderLoad(t, roster, afterMs));
});
