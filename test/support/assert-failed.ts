import assert from 'node:assert/strict';
import type { Finished } from './command-line.ts';

/** Asserts this exit code, an empty standard output, and one line with the message, perhaps followed by hints in parentheses. */
export function assertFailed({ exitCode, stdout, stderr }: Finished, code: 1 | 2 | 3, message: RegExp): void {
  assert.match(stderr, /^keyroster(?:-admin)?: [^\n]+\n(\([^\n]+\)\n)*$/);
  assert.match(stderr, message);
  assert.deepEqual([exitCode, stdout], [code, '']);
}
