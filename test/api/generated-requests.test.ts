import { test } from 'node:test';
import { sendGeneratedRequests } from '../support/generated-requests.ts';

test('300 requests generated from the OpenAPI document get answers that it declares', t =>
  sendGeneratedRequests(t, 300, 1));
