import { test } from 'node:test';
import { sendMutatedRequests } from '../support/mutated-requests.ts';

test('each of 2,000 mutated requests is answered in its turn, or refused', t =>
  sendMutatedRequests(t, 2_000, 1));
