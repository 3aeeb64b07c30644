/** Kills `adopt --apply` at a chosen moment, then lets a second run complete. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  databaseWithSimpleTable,
  indexNamesOf,
  mappingJson,
  simpleMapping,
  TABLE,
} from '../../support/adopted/simple-table.ts';
import { indexesOf, stateOfTable } from '../../support/adopted/vendor-database.ts';
import { startKeyroster } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/scope.ts';
import { storeAt, TEST_ACTOR } from '../../support/store-at.ts';

/** After the first step has begun. All of them take about this long here; on a busy machine it is stopped earlier. */
const MAX_DELAY_MS = 80;

/** Each is stopped later in its work than the one before. */
const KILLS = 60;

test('adopt --apply that is killed at any moment leaves the table as it was, and a second run completes', async t => {
  const { url, client } = await databaseWithSimpleTable(t);
  const untouched = await stateOfTable(client, TABLE);
  const file = join(temporaryFolder(t), 'keyroster.table.json');
  writeFileSync(file, JSON.stringify(mappingJson));
  const wanted = ['apikey_pkey', ...indexNamesOf(simpleMapping()).toSorted()].map(name => ({
    name,
    isValid: true,
  }));
  const adoption = await storeAt(url).adoption();
  const options = { actor: TEST_ACTOR, role: undefined, onStep: () => {} };
  const reached = new Set<string>();
  for (let round = 0; round < KILLS; round++) {
    const running = startKeyroster(t, ['adopt', '--mapping', file, '--apply', '--database', url]);
    await running.errorLine(/keyroster: /);
    await setTimeout((MAX_DELAY_MS * (round + Math.random())) / KILLS);
    const { stderr } = await running.stop('SIGKILL');
    reached.add(stderr.trim().split('\n').at(-1) ?? '');
    assert.deepEqual(await stateOfTable(client, TABLE), untouched);
    await adoption.apply(simpleMapping(), options);
    assert.deepEqual(await indexesOf(client, TABLE), wanted);
    assert.deepEqual(await stateOfTable(client, TABLE), untouched);
    await adoption.remove(() => {});
  }
  assert(reached.size > 1, `it was killed in several steps: ${[...reached]}`);
});
