import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const FOLDER = new URL('../../src/client/', import.meta.url);

test('the client imports nothing but its own files, so that it runs wherever there is fetch', () => {
  const files = readdirSync(FOLDER).filter(name => name.endsWith('.ts'));
  const imported = files.flatMap(name =>
    [...readFileSync(new URL(name, FOLDER), 'utf8').matchAll(/\bfrom '([^']+)'|\bimport\(?'([^']+)'/g)].map(
      ([, from, dynamic]) => from ?? dynamic,
    ),
  );
  assert(imported.length > files.length / 2);
  assert.deepEqual(
    imported.filter(path => !path?.match(/^\.\/[a-z-]+\.ts$/)),
    [],
  );
});
