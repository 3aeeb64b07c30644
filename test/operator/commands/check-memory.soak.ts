import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { BIN, run } from '../../../bench/processes/run.ts';
import { importManyKeys } from '../../support/million.ts';
import { newStore } from '../../support/opened.ts';
import { createOrganization } from '../../support/roster.ts';

test('check of 1,000,000 keys over PostgreSQL takes under 120 MB', async t => {
  execFileSync('npm', ['run', '-s', 'build']); // to strip the types of the sources takes 40 MB
  const { url, openWriter } = await newStore(t);
  const writer = await openWriter();
  const { id } = await createOrganization(writer);
  await importManyKeys(writer, id, 1_000_000).finally(() => writer.close());
  const { seconds, peakBytes } = await run(BIN, ['check'], { env: { KEYROSTER_DATABASE_URL: url } });
  t.diagnostic(`${seconds.toFixed(0)} s, ${(peakBytes / 1e6).toFixed(0)} MB`);
  assert.ok(peakBytes < 120e6);
});
