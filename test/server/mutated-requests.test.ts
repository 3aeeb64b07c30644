import { test } from 'node:test';
import { sendMutatedRequests } from '../support/mutated-requests.ts';

test('2,000 mutated requests are each answered in their turn, or refused', t =>
  sendMutatedRequests(t, 2_000, 1));
