import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientTypes } from '../../scripts/client-types.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test("the client's types match docs/openapi.json (npm run client-types updates them)", async () => {
  assert.equal(read('src/client/openapi.ts'), await clientTypes(JSON.parse(read('docs/openapi.json'))));
});
