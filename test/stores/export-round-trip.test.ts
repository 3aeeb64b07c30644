import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FORMATS } from '../../src/formats/format.ts';
import { type ApiKey, parseName } from '../../src/roster/api-key.ts';
import type { Timestamp } from '../../src/roster/timestamp.ts';
import { apiKey, timestamp } from '../support/arbitraries.ts';
import { describeEachStore } from '../support/each-store.ts';
import { createOrganization, importKeys } from '../support/roster.ts';
import { runCommand } from '../support/run-many-commands.ts';

/** More than one page, so that an export has to walk several. */
const MAX_KEYS = 250;

const awkwardName = fc.string({ unit: fc.constantFrom(...['"', ',', '\n', '\r', '\uFEFF', '\\', 'é', '🗝']) });
const rosters = fc.uniqueArray(
  fc
    .tuple(
      apiKey({ createdAt: fc.oneof(timestamp, fc.constantFrom(0n as Timestamp, 1n as Timestamp)) }),
      fc.option(awkwardName),
    )
    .map(([key, name]): ApiKey => ({ ...key, name: parseName(name) ?? key.name })),
  { selector: key => key.id, minLength: 150, maxLength: MAX_KEYS, size: 'max' },
);

describeEachStore('export and import', (open, kindOfStore) => {
  test('the rosters of all organizations are imported into another store, and exported again byte for byte', async () => {
    const run = async (args: string[], url: string, input = '') => {
      const { exitCode, stdout, stderr } = await runCommand(args, {
        env: { KEYROSTER_DATABASE_URL: url },
        input,
      });
      assert.deepEqual([exitCode, stderr], [0, '']);
      return stdout;
    };
    const property = fc.asyncProperty(rosters, fc.boolean(), async (keys, exact) => {
      for (const part of [keys.slice(0, 120), keys, []]) {
        const { id } = await createOrganization(open.writer);
        await importKeys(open.writer, id, part);
      }
      const copies = FORMATS.map(async format => {
        const kind = [...(exact ? ['--exact'] : []), '--format', format];
        const text = await run(['export', '--all-organizations', ...kind], open.store.url);
        const copy = await kindOfStore.create();
        const field = ['--organization-field', 'organization_id', '--create-organizations'];
        await run(['import', '-', ...field, ...kind], copy.url, text);
        // New organizations are listed in the order of their creation, and then of their IDs.
        const lines = (all: string) => all.split('\n').sort();
        const again = await run(['export', '--all-organizations', ...kind], copy.url);
        assert.deepEqual(lines(again), lines(text));
        await copy.remove();
      });
      await Promise.all(copies);
    });
    await fc.assert(property, { numRuns: 1, endOnFailure: true });
  });
});
