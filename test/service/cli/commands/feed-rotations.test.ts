import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fedLog } from '../../../support/fed-log.ts';
import { startFeed } from '../../../support/feed-process.ts';
import { runCommand } from '../../../support/run-many-commands.ts';
import { until } from '../../../support/until.ts';

describe('keyroster feed --follow, beside a log rotation', () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const)
    test(`goes on after ${signal} with the first line that is not answered, over two rotations`, async t => {
      const log = await fedLog(t);
      log.write(100);
      const feed = startFeed(t, log.store.url, ['--follow', log.file]);
      await feed.answered(100);
      feed.kill(signal);
      await feed.ended;
      for (let rotations = 0; rotations < 2; rotations++) {
        log.write(100);
        log.rotate();
        log.write(100);
      }
      const again = startFeed(t, log.store.url, ['--follow', log.file]);
      // A kill may come between an answer and the position that is kept: then the first lines are answered again.
      const last = [...log.written].at(-1);
      await until('the last line is answered', () => again.answers.some(({ id }) => id === last));
      again.kill('SIGTERM');
      assert.equal(await again.ended, 0);
      if (signal === 'SIGTERM') assert.ok(again.answers.every(({ result }) => result === 'inserted'));
      assert.equal((await log.store.records()).length, 500);
    });

  test('needs a place for its position, which is a position', async t => {
    const { store, file } = await fedLog(t);
    const follow = (...args: string[]) => runCommand(['feed', '--follow', file, ...args], { env: store.env });
    assert.match(
      (await follow('--position', join(store.folder, 'none', 'position'))).stderr,
      /can't keep how far it has read: ENOENT: .* name a file by --position\n$/,
    );
    assert.match(
      (await follow('--position', store.file)).stderr,
      /doesn't say how far a feed has read: name another/,
    );
    const unfollowed = await runCommand(['feed', file, '--position', 'position'], { env: store.env });
    assert.deepEqual([unfollowed.exitCode, unfollowed.stdout], [2, '']);
  });
});
