import { test } from 'node:test';
import { followFileHistories, followWriteHistories } from './support/file-history.ts';

test('in 20 histories of a served file, no list mixes what two files hold', async t => {
  t.diagnostic(await followFileHistories(t, 20, 1));
});

test('in 10 histories of commits and checkpoints, everything is listed', async t => {
  t.diagnostic(await followWriteHistories(t, 10, 1));
});
