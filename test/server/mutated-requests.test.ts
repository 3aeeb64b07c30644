import { test } from 'node:test';
import { sendMutatedRequests } from '../support/mutated-requests.ts';

test('each of 600 mutated requests is answered in its turn, or refused', t => sendMutatedRequests(t, 600, 1));
