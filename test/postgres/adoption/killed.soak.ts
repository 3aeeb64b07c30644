import { test } from 'node:test';
import { killAdoptions } from '../../support/adopted/kill-adoptions.ts';

test('adopt --apply that is killed at any moment leaves the table as it was, and a second run completes', t =>
  killAdoptions(t, 60));
