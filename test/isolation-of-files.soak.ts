import { test } from 'node:test';
import { followFileHistories, followWriteHistories } from './support/file-history.ts';
import { SOAK_SEED } from './support/soak.ts';

test('in 2,500 histories of a served file, no list mixes what two files hold', async t => {
  t.diagnostic(await followFileHistories(t, 2_500, SOAK_SEED));
});

test('in 1,000 histories of commits and checkpoints, everything is listed', async t => {
  t.diagnostic(await followWriteHistories(t, 1_000, SOAK_SEED));
});
