import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TEST_SCRIPT = fileURLToPath(new URL('../scripts/test.ts', import.meta.url));

test('the tests of a part are not run where another word names none', () => {
  for (const words of [[], ['none'], ['shared', 'none']]) {
    const { status, stderr } = spawnSync(process.execPath, [TEST_SCRIPT, ...words], { encoding: 'utf8' });
    assert.equal(status, 2, words.join(' '));
    assert.match(stderr, /^name parts: npm run test:part -- client \| /);
  }
});
