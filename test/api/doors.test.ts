/** The tests of this folder once more, with the API as a library in a server of another's (test/support/door.ts). */
import assert from 'node:assert/strict';
import { type ExecFileOptions, execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { DOOR, type Door } from '../support/door.ts';

const FOLDER = new URL('./', import.meta.url);

/** The files that send requests to a service which they start. */
const files = readdirSync(FOLDER)
  .filter(file => file.endsWith('.test.ts'))
  .filter(file => /\b(startService|startStubRosterService|serverOfAnother)\(/.test(textOf(file)));

/** Files that can't pass over a door. Those that start `serve` as a process aren't in `files`. */
const leftOut: Partial<Record<Door, Readonly<Record<string, string>>>> = {
  fetch: {
    'unread-answers.test.ts': 'the server has the pages that clients do not read, and nobody tells how many',
  },
};

describe('the tests of the API pass', { concurrency: true }, () => {
  for (const door of ['handle', 'fetch'] as const) {
    const reasons = leftOut[door] ?? {};
    for (const [file, reason] of Object.entries(reasons))
      test(`not over ${door}: ${file}: ${reason}`, () => assert.ok(files.includes(file)));

    test(`over ${door}`, async t => {
      const chosen = files.filter(file => !(file in reasons)).map(file => `test/api/${file}`);
      // Without the variable by which this process tells its own children that they are part of its run.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const args = ['--test', '--test-isolation=none', '--test-reporter=tap', ...chosen];
      const { code, stdout } = await run(process.execPath, args, { env: { ...env, [DOOR]: door } });
      assert.equal(code, 0, stdout);
      for (const [, skipped] of stdout.matchAll(/# SKIP (.*)/g)) t.diagnostic(String(skipped));
      assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 150, stdout);
    });
  }
});

/** Runs a program to its end, whatever its exit code. */
async function run(program: string, args: string[], options: ExecFileOptions) {
  const child = execFile(program, args, { ...options, maxBuffer: 2 ** 26 }, () => {});
  const [stdout, [code]] = await Promise.all([text(child.stdout as Readable), once(child, 'close')]);
  return { stdout, code };
}

function textOf(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8');
}
