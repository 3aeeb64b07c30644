import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { shellWord } from '../../../src/shared/command/shell-word.ts';
import type { CreatorId } from '../../../src/shared/record/identifier.ts';
import { ownerId } from '../../support/arbitraries.ts';

test('a shell reads the word of an ID as that ID', () => {
  const ids = ['~', '~root', 'a|b', '-k', ...fc.sample(ownerId<CreatorId>(40), 500)];
  const command = `printf '%s\\n' ${ids.map(shellWord).join(' ')}`;
  assert.deepEqual(execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trimEnd().split('\n'), ids);
});
