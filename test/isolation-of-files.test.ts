/** Histories of a store's file under a reader: commits, and what happens to files, in any order. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { FollowedFile, makeTemplates, type Surroundings, TEMPLATES } from './support/followed-file.ts';
import { rounds } from './support/rounds.ts';
import { atEndOf, type Scope, temporaryFolder } from './support/scope.ts';

type Step = (file: FollowedFile) => Promise<void>;

const template = fc.constantFrom(...TEMPLATES);
const part = fc.constantFrom(0, 0.3, 0.9);
const left = fc.constantFrom(['-wal', '-shm'], ['-wal'], ['-shm']);
/** A step with one of these values. */
function stepOf<Value>(
  values: fc.Arbitrary<Value>,
  step: (file: FollowedFile, value: Value) => Promise<void>,
) {
  return values.map(value => (file: FollowedFile) => step(file, value));
}

/** What a store is for. None of it may keep a reader from listing. */
const writes: fc.Arbitrary<Step>[] = [
  fc.constant(file => file.assertListed()),
  stepOf(fc.integer({ min: 1, max: 9 }), (file, every) => file.commit(every)),
  stepOf(fc.constantFrom('PASSIVE', 'TRUNCATE'), (file, mode) => file.checkpoint(mode)),
];
const mishaps: fc.Arbitrary<Step>[] = [
  stepOf(template, (file, value) => file.put(value, 'copyOver')),
  stepOf(template, (file, value) => file.put(value, 'replace')),
  fc.constant(file => file.moveAwayAndBack()),
  stepOf(part, (file, value) => file.truncateAndRestore(value)),
  stepOf(part, (file, value) => file.truncateLog(value)),
  fc.constant(file => file.restoreLog()),
  stepOf(left, (file, value) => file.remove(value)),
];

/** Makes the templates and starts the other process. */
async function surroundings(scope: Scope): Promise<Surroundings> {
  const folder = temporaryFolder(scope);
  await makeTemplates(folder);
  const program = fileURLToPath(new URL('./support/file-operator.ts', import.meta.url));
  const operator = fork(program, { serialization: 'advanced' }); // timestamps are bigints
  const exit = once(operator, 'exit');
  atEndOf(scope, async () => {
    operator.kill('SIGKILL');
    await exit;
  });
  return { folder, operator };
}

async function follow(scope: Scope, numRuns: number, others: readonly fc.Arbitrary<Step>[]) {
  const given = await surroundings(scope);
  const counts = { listed: 0, refused: 0 };
  const step = fc.oneof(...writes.map(arbitrary => ({ weight: 3, arbitrary })), ...others);
  const path = fc.constantFrom('file', 'symbolic link', 'hard link');
  const steps = fc.array(fc.tuple(step, fc.boolean()), { minLength: 2, maxLength: 12 });
  const property = fc.asyncProperty(path, template, steps, async (path, start, taken) => {
    const file = new FollowedFile(given, path, start);
    try {
      for (const [each, busy] of taken) await file.take(() => each(file), busy);
      if (others.length > 0) await file.mend();
    } finally {
      await file.close();
    }
    counts.listed += file.listed;
    counts.refused += file.refused;
  });
  await fc.assert(property, { numRuns, seed: fc.readConfigureGlobal().seed ?? 1 });
  return counts;
}

test('in no history of a served file a list mixes what two files hold, and what has lost its log is not listed', async t => {
  const runs = rounds(6);
  const { listed, refused } = await follow(t, runs, mishaps);
  t.diagnostic(`${listed} lists, ${refused} refused`);
  assert.ok(Math.min(listed, refused) > runs);
});

test('in histories of commits and checkpoints everything is listed as it is, and at once', async t => {
  const { listed, refused } = await follow(t, rounds(4), []);
  t.diagnostic(`${listed} lists`);
  assert.equal(refused, 0);
});
