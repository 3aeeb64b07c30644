/** What differs between the doors, once more over the library in a server of another's (test/support/door.ts). */
import assert from 'node:assert/strict';
import { type ExecFileOptions, execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { DOOR } from '../support/door.ts';

/** What a door does itself: it reads the method, path, headers and address, and writes the status, headers and body. */
const FILES = [
  'admin-key-header.test.ts',
  'compression.test.ts',
  'list-api-keys.test.ts',
  'own-authentication.test.ts',
  'route.test.ts',
].map(file => `test/api/${file}`);

describe('the tests of what a door does pass', { concurrency: true }, () => {
  for (const door of ['handle', 'fetch'] as const) {
    test(`over ${door}`, async t => {
      // Without the variable by which this process tells its own children that they are part of its run.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const args = ['--test', '--test-isolation=none', '--test-reporter=tap', ...FILES];
      const { code, stdout } = await run(process.execPath, args, { env: { ...env, [DOOR]: door } });
      assert.equal(code, 0, stdout);
      for (const [, skipped] of stdout.matchAll(/# SKIP (.*)/g)) t.diagnostic(String(skipped));
      assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 100, stdout);
    });
  }
});

/** Runs a program to its end, whatever its exit code. */
async function run(program: string, args: string[], options: ExecFileOptions) {
  const child = execFile(program, args, { ...options, maxBuffer: 2 ** 26 }, () => {});
  const [stdout, [code]] = await Promise.all([text(child.stdout as Readable), once(child, 'close')]);
  return { stdout, code };
}
