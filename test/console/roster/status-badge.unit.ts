import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STATUSES } from '../../../src/shared/record/status.ts';

test('each status has a mark or a colour of its own, and one that is past its time too', () => {
  const css = readFileSync(new URL('../../../src/console/styles/parts.css', import.meta.url), 'utf8');
  for (const status of [...STATUSES, 'expired'])
    assert.match(css, RegExp(`\\.${status}\\b`), `parts.css: .${status}`);
});
