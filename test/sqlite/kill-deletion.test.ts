import { test } from 'node:test';
import { killDeletions } from '../support/kill-deletions.ts';
import { rounds } from '../support/rounds.ts';

test('a deletion that is killed at random moments is not begun, or completed by the next run', t =>
  killDeletions(t, rounds(3)));
