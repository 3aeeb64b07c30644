import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseApiVersion, parseApiVersions } from '../../../src/service/roster/api-version.ts';

test('a version is a day that exists, written YYYY-MM-DD', () => {
  for (const date of ['2023-06-01', '2024-02-29', '9999-12-31']) assert.equal(parseApiVersion(date), date);
  const texts = ['', '2026-02-29', '2026-1-1', '26-10-21', ' 2026-10-21', 'latest', '2026-10-21T00:00:00Z'];
  for (const wrong of [...texts, '2026-10-21T00:00:00Z\n2026-10-21', null, 20261021, ['2026-10-21']])
    assert.equal(parseApiVersion(wrong), undefined, String(wrong));
});

test('a list of versions is refused when one of them is none', () => {
  assert.deepEqual(parseApiVersions([]), []);
  assert.deepEqual(parseApiVersions(['2026-10-21', '2025-01-01']), ['2026-10-21', '2025-01-01']);
  assert.equal(parseApiVersions(['2026-10-21', '']), undefined);
});
