import { test } from 'node:test';
import { sendGeneratedRequests } from '../support/generated-requests.ts';

test('1,000 requests generated from the OpenAPI document get answers that it declares', t =>
  sendGeneratedRequests(t, 1_000, 1));
