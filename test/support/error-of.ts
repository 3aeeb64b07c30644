import assert from 'node:assert/strict';
import { KeyrosterError } from '../../src/client/client.ts';

/** The error that a request of the client ends with. */
export async function errorOf(request: PromiseLike<unknown>): Promise<KeyrosterError> {
  try {
    await request;
  } catch (error) {
    assert(error instanceof KeyrosterError, String(error));
    return error;
  }
  return assert.fail('the request did not fail');
}
