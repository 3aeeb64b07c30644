import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import { atEndOf, type Scope } from './scope.ts';
import type { TestStore } from './stores.ts';

const PROCESS = fileURLToPath(new URL('./writer-process.ts', import.meta.url));

export type SecondWriter = Awaited<ReturnType<typeof startSecondWriter>>;

/** Another process that writes to the same store while this one reads. */
export async function startSecondWriter(
  scope: Scope,
  { url }: Pick<TestStore, 'url'>,
  organization: OrganizationId,
) {
  const child = fork(PROCESS, {
    env: { ...process.env, KEYROSTER_DATABASE_URL: url, ORGANIZATION: organization },
    execArgv: [], // the runner's own would run the tests in it
    serialization: 'advanced', // timestamps are bigints
  });
  const exit = once(child, 'exit');
  atEndOf(scope, async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const died = exit.then(([code]) => assert.fail(`the second writer ended with exit code ${code}`));
  died.catch(() => {});
  const pending: (() => void)[] = [];
  let committed = 0;
  await Promise.race([once(child, 'message'), died]);
  child.on('message', () => {
    committed += 1;
    pending.shift()?.();
  });
  return {
    /** Imports a batch of keys. Resolves when it is committed; batches are committed in order. */
    write: (batch: readonly ApiKey[]): Promise<void> => {
      const answer = new Promise<void>(resolve => pending.push(resolve));
      child.send(batch as ApiKey[]);
      return Promise.race([answer, died]);
    },
    /** The number of batches committed so far. */
    committed: () => committed,
    stop: async () => {
      child.disconnect();
      assert.deepEqual(await exit, [0, null]);
    },
  };
}
