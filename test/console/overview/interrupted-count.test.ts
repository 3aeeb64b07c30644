import { test } from 'node:test';
import { interruptCount } from '../../support/interrupted-count.ts';

test('a count during which the service is killed, restarted and busy has the figures of a model', t =>
  interruptCount(t, 20_000, 3));
