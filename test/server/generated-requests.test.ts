import { test } from 'node:test';
import { sendGeneratedRequests } from '../support/generated-requests.ts';

test('1,000 requests made from the OpenAPI document get the answers that it declares', t =>
  sendGeneratedRequests(t, 1_000, 1));
