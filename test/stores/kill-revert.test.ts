import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ImportId } from '../../src/roster/identifier.ts';
import { walkRoster } from '../../src/roster/walk-roster.ts';
import { firstKeys } from '../support/changing-roster.ts';
import { describeEachStore } from '../support/each-store.ts';
import { createOrganization, importKeys, importLines } from '../support/roster.ts';
import { rounds } from '../support/rounds.ts';

const BIN = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));
const KILLS = rounds(5);
/** From the start of the process; a revert ends after some 0.5 s. */
const MAX_DELAY_MS = 1_000;

const known = firstKeys(500);
const imported = firstKeys(1_500).map(key => ({ ...key, name: 'imported' }));

describeEachStore('a revert that is killed', open => {
  test('is done in whole or not at all, at whatever moment', async t => {
    const { id: organizationId } = await createOrganization(open.writer);
    const names = async () => {
      const all: string[] = [];
      for await (const items of walkRoster(open.writer, organizationId))
        all.push(...items.map(({ record }) => JSON.parse(record).name));
      return [all.length, ...new Set(all)];
    };
    await importKeys(open.writer, organizationId, known);
    const lines = imported.map((key, index) => ({ line: index + 1, organizationId, key }));
    let importId: ImportId | null = null;
    let reverted = 0;
    for (let number = 0; number < KILLS; number++) {
      importId ??= (await importLines(open.writer, lines)).importId;
      const args = ['imports', 'revert', String(importId), '--database', open.store.url];
      const child = spawn(process.execPath, [BIN, ...args], { stdio: 'ignore' });
      const ended = once(child, 'exit');
      await setTimeout(Math.random() * MAX_DELAY_MS);
      child.kill('SIGKILL');
      await ended;
      // PostgreSQL notices later, and this waits for its locks.
      const isReverted: boolean = await open.writer.revertImport(importId as ImportId, { dryRun: true }).then(
        () => false,
        () => true,
      );
      assert.deepEqual(await names(), isReverted ? [500, 'first'] : [1_500, 'imported']);
      if (!isReverted) continue;
      reverted += 1;
      importId = null;
    }
    t.diagnostic(`${reverted} of ${KILLS} had been done`);
  });
});
