import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientTypes } from '../../scripts/client-types.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test("the client's types are committed as docs/openapi.json makes them (npm run client-types)", async () => {
  assert.equal(read('src/client/openapi.ts'), await clientTypes(JSON.parse(read('docs/openapi.json'))));
});
