import { test } from 'node:test';
import { sendMutatedRequests } from '../support/mutated-requests.ts';
import { SOAK_SEED } from '../support/soak.ts';

test('each of 200,000 mutated requests is answered in its turn, or refused', t =>
  sendMutatedRequests(t, 200_000, SOAK_SEED));
