import { test } from 'node:test';
import { sendGeneratedRequests } from '../support/generated-requests.ts';
import { SOAK_SEED } from '../support/soak.ts';

test('100,000 requests generated from the OpenAPI document get answers that it declares', t =>
  sendGeneratedRequests(t, 100_000, SOAK_SEED));
