/** What must compile, and what must not: `tsc` fails where an expected error is missing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientTypes } from '../../scripts/client-types.ts';
import type { ApiKeyRecord, ListParameters } from '../../src/client/client.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('the types match docs/openapi.json (npm run client-types updates them)', async () => {
  assert.equal(read('src/client/openapi.ts'), await clientTypes(JSON.parse(read('docs/openapi.json'))));
});

test('the types accept valid queries and refuse invalid ones', () => {
  const right: ListParameters[] = [{}, { after_id: 'k' }, { before_id: 'k', status: undefined }];
  const wrong: ListParameters[] = [
    // @ts-expect-error an unknown status
    { status: 'revoked' },
    // @ts-expect-error a number as text
    { limit: '5' },
    // @ts-expect-error two cursors
    { after_id: 'a', before_id: 'b' },
    // @ts-expect-error an unknown parameter
    { stauts: 'active' },
  ];
  void [right, wrong];
});

test('the types say that a newer service may have more fields and other values', () => {
  const use = (record: ApiKeyRecord) => {
    const { status, created_by, expires_at } = record;
    const texts: string[] = [status, created_by.type];
    const isRevoked = status === 'revoked' || created_by.type === 'robot';
    const unknowns: unknown[] = [expires_at, created_by.email];
    // @ts-expect-error a status that this client doesn't know
    const known: 'active' | 'inactive' | 'archived' = status;
    // @ts-expect-error nothing is known of a field that this client doesn't know
    const expiry: string = expires_at;
    // The known values are still in the type, so that an editor suggests them.
    const suggested: Extract<typeof status, 'active' | 'inactive'> = 'active';
    void [texts, isRevoked, unknowns, known, expiry, suggested];
  };
  void use;
});
