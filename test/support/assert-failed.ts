import assert from 'node:assert/strict';
import type { Finished } from './command-line.ts';

/** Failed with this exit code: nothing printed but one line that has the message, and at most hints in parentheses. */
export function assertFailed({ exitCode, stdout, stderr }: Finished, code: 1 | 2, message: RegExp): void {
  assert.match(stderr, /^keyroster: [^\n]+\n(\([^\n]+\)\n)*$/);
  assert.match(stderr, message);
  assert.deepEqual([exitCode, stdout], [code, '']);
}
