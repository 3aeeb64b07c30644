import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { statuses } from '../../../src/console/roster/statuses.ts';

test('each status has a colour of its own', () => {
  const css = readFileSync(new URL('../../../src/console/styles/parts.css', import.meta.url), 'utf8');
  for (const status of statuses) assert.match(css, new RegExp(`^\\.${status} \\{\\n  --status: `, 'm'));
});
