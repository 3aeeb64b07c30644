import { test } from 'node:test';
import { interruptCount } from '../../support/interrupted-count.ts';

test('a count during which the service is killed at 20 moments, and is busy, has the figures of a model', t =>
  interruptCount(t, 100_000, 20));
