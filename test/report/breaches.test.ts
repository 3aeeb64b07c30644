import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { ApiKeyRecord } from '../../src/client/client.ts';
import { Breaches } from '../../src/report/breaches.ts';
import { maxAge, noDefaultWorkspace } from '../../src/report/policies.ts';
import { exampleRecord } from '../support/example-record.ts';
import { temporaryFolder } from '../support/scope.ts';

const DAY_MS = 86_400_000;
const record = exampleRecord as ApiKeyRecord;

test('breaches come back unchanged, in the order of the pages and then of the policies', () => {
  const [old, unplaced] = [maxAge(30), noDefaultWorkspace];
  const breaches = new Breaches([old, unplaced]);
  const expected: unknown[] = [];
  for (let page = 0; page < 40; page++) {
    const keys = Array.from({ length: 37 }, (_, number) => ({
      key: { ...record, id: `k${page}_${number}`, name: '한글 \u2028 "\n', workspace_id: null },
      ageMs: number * DAY_MS,
    }));
    breaches.add(keys);
    expected.push(...keys.slice(31).map(({ key }) => ({ policy: 'max-age', api_key: key })));
    expected.push(...keys.map(({ key }) => ({ policy: 'no-default-workspace', api_key: key })));
  }
  const batches = [...breaches];
  breaches.close();
  assert.deepEqual(batches.flat(), expected);
  assert(batches.length > 1 && batches.every(batch => batch.length > 0));
  assert.deepEqual([breaches.count(old), breaches.count(unplaced)], [40 * 6, 40 * 37]);
  assert.equal(breaches.total, expected.length);
});

test('breaches leave no file behind, while they are kept and after', t => {
  const folder = temporaryFolder(t);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  t.after(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  const breaches = new Breaches([noDefaultWorkspace]);
  const key = { ...record, workspace_id: null };
  for (let page = 0; page < 4; page++) breaches.add(Array.from({ length: 300 }, () => ({ key, ageMs: 0 })));
  assert.deepEqual(readdirSync(folder), []);
  assert.equal([...breaches].flat().length, 1_200);
  breaches.close();
  assert.deepEqual(readdirSync(folder), []);
});

test('without breaches there are no batches', () => {
  const breaches = new Breaches([maxAge(30)]);
  breaches.add([{ key: record, ageMs: 0 }]);
  assert.deepEqual([[...breaches], breaches.total], [[], 0]);
});
