/** Histories of a store's file under a reader: commits, and what happens to files, in any order. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { makeTemplates, ORGANIZATIONS, TEMPLATES } from './file-templates.ts';
import { type Counts, FollowedFile } from './followed-file.ts';
import { atEndOf, type Scope, temporaryFolder } from './scope.ts';

const template = fc.constantFrom(...TEMPLATES);
const part = fc.constantFrom(0, 0.3, 0.9);
const steps = {
  read: fc.record({}),
  commit: fc.record({
    organization: fc.nat({ max: ORGANIZATIONS.length - 1 }),
    every: fc.integer({ min: 1, max: 9 }),
  }),
  checkpoint: fc.record({ mode: fc.constantFrom('PASSIVE' as const, 'TRUNCATE' as const) }),
  copyOver: fc.record({ template }),
  replace: fc.record({ template }),
  moveAwayAndBack: fc.record({}),
  truncateAndRestore: fc.record({ part }),
  truncateLog: fc.record({ part }),
  keepLog: fc.record({}),
  restoreLog: fc.record({}),
  remove: fc.record({ suffixes: fc.constantFrom(['-wal', '-shm'], ['-wal'], ['-shm']) }),
};

type StepName = keyof typeof steps;
export type Steps = {
  readonly [Name in StepName]: (typeof steps)[Name] extends fc.Arbitrary<infer S> ? S : never;
};

/** What a store is for. None of it may keep a reader from listing. */
const WRITES: readonly StepName[] = ['read', 'commit', 'checkpoint'];

function histories(names: readonly StepName[]) {
  const step = fc.oneof(
    ...names.map(what => ({
      weight: WRITES.includes(what) ? 3 : 1,
      arbitrary: fc.record({
        what: fc.constant(what),
        values: steps[what] as fc.Arbitrary<never>,
        busy: fc.boolean(),
      }),
    })),
  );
  return fc.record({
    path: fc.constantFrom('file', 'symbolic link', 'hard link'),
    start: template,
    steps: fc.array(step, { minLength: 2, maxLength: 12 }),
  });
}

/**
 * In each history whatever is listed was once, as a whole, the content of one file; and nothing is listed while a file has
 * another one's log beside it.
 */
export async function followFileHistories(scope: Scope, numRuns: number, seed: number): Promise<string> {
  const counts = await follow(scope, Object.keys(steps) as StepName[], { numRuns, seed });
  assert.ok(Math.min(counts.listed, counts.refused) > numRuns);
  return `${counts.listed} lists, ${counts.refused} refused`;
}

/** In histories of commits and checkpoints alone, everything is listed as it is, at once. */
export async function followWriteHistories(scope: Scope, numRuns: number, seed: number): Promise<string> {
  const counts = await follow(scope, WRITES, { numRuns, seed });
  assert.equal(counts.refused, 0);
  return `${counts.listed} lists`;
}

async function follow(
  scope: Scope,
  names: readonly StepName[],
  parameters: { numRuns: number; seed: number },
): Promise<Counts> {
  const templates = temporaryFolder(scope);
  await makeTemplates(templates);
  const operator = fork(fileURLToPath(new URL('./file-operator.ts', import.meta.url)), {
    serialization: 'advanced', // timestamps are bigints
  });
  const exit = once(operator, 'exit');
  atEndOf(scope, async () => {
    operator.kill('SIGKILL');
    await exit;
  });
  const counts = { listed: 0, refused: 0 };
  const property = fc.asyncProperty(histories(names), async ({ path, start, steps }) => {
    const place = mkdtempSync(join(templates, 'history-'));
    const followed = new FollowedFile({ templates, place, path, start, operator, counts });
    try {
      for (const { what, values, busy } of steps) await followed.take(what, values, busy);
      if (names !== WRITES) await followed.mend();
    } finally {
      await followed.close();
      rmSync(place, { recursive: true });
    }
  });
  await fc.assert(property, parameters);
  return counts;
}
