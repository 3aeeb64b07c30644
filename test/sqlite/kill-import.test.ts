import { test } from 'node:test';
import { killImports } from '../support/kill-imports.ts';

test('an import that is killed at 12 random moments is done or not done, and recorded so', t =>
  killImports(t, 12));
