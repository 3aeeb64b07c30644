/** Kills `adopt --apply` at a chosen moment, then lets a second run complete. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startKeyroster } from '../command-line.ts';
import { type Scope, temporaryFolder } from '../scope.ts';
import { storeAt, TEST_ACTOR } from '../store-at.ts';
import { databaseWithSimpleTable, indexNamesOf, mappingJson, simpleMapping, TABLE } from './simple-table.ts';
import { indexesOf, stateOfTable } from './vendor-database.ts';

/** After the first step has begun. All of them take about this long here; on a busy machine it is stopped earlier. */
const MAX_DELAY_MS = 80;

/** Each run is stopped later in its work than the one before. */
export async function killAdoptions(t: Scope, rounds: number): Promise<void> {
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
  for (let round = 0; round < rounds; round++) {
    const running = startKeyroster(t, ['adopt', '--mapping', file, '--apply', '--database', url]);
    await running.errorLine(/keyroster: /);
    await setTimeout((MAX_DELAY_MS * (round + Math.random())) / rounds);
    const { stderr } = await running.stop('SIGKILL');
    reached.add(stderr.trim().split('\n').at(-1) ?? '');
    assert.deepEqual(await stateOfTable(client, TABLE), untouched);
    await adoption.apply(simpleMapping(), options);
    assert.deepEqual(await indexesOf(client, TABLE), wanted);
    assert.deepEqual(await stateOfTable(client, TABLE), untouched);
    await adoption.remove(() => {});
  }
  assert(reached.size > 1, `it was killed in several steps: ${[...reached]}`);
}
