import { test } from 'node:test';
import { sendMutatedRequests } from '../support/mutated-requests.ts';
import { SOAK_SEED } from '../support/soak.ts';

test('200,000 mutated requests are each answered in their turn, or refused', t =>
  sendMutatedRequests(t, 200_000, SOAK_SEED));
