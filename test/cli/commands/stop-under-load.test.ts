import { test } from 'node:test';
import { assertStoppedWell, stopUnderLoad, storeToStopOver } from '../../support/stop-under-load.ts';

test('serve that is stopped under load answers all that it took', async t => {
  const roster = await storeToStopOver(t);
  for (const afterMs of [0, 150]) assertStoppedWell(await stopUnderLoad(t, roster, afterMs));
});
