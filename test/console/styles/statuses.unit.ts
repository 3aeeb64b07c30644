import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { STATUSES } from '../../../src/shared/record/status.ts';

test('each status has a colour of its own', () => {
  const css = readFileSync(new URL('../../../src/console/styles/parts.css', import.meta.url), 'utf8');
  for (const status of STATUSES) assert.match(css, new RegExp(`^\\.${status} \\{\\n  --status: `, 'm'));
});
