import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ageOf } from '../src/admin/report/age.ts';
import { Breaches } from '../src/admin/report/breaches.ts';
import { ownPolicies } from '../src/admin/report/parse-policies.ts';
import { renderHtml } from '../src/admin/report/render-html.ts';
import { ReportBuilder } from '../src/admin/report/report-builder.ts';
import type { ApiKeyRecord } from '../src/client/client.ts';
import { openTab } from './support/console.ts';
import { exampleRecord } from './support/example-record.ts';

const now = new Date('2026-11-22T10:20:30Z');
/** Drawn one above the other, some hundred lines high. */
const name = `x${'\u0301'.repeat(500)}`;

/** Of two keys with this name, so that it is in each section. */
function html(): string {
  const builder = new ReportBuilder(now);
  const policies = ownPolicies([{ name: 'old', rule: 'max-age', days: 1 }]);
  const breaches = new Breaches(policies, now);
  for (const id of ['key_1', 'key_2']) {
    const key = { ...exampleRecord, id, name } as ApiKeyRecord;
    const ageMs = ageOf(key.created_at, now) as number;
    builder.add(key, ageMs);
    breaches.add([{ key, ageMs }]);
  }
  const rendered = [...renderHtml({ report: builder.report(), breaches, source: 'a file' })].join('');
  return rendered;
}

test('the HTML report cuts a name of combining marks off at the edges of its cell, on screen and paper', async t => {
  const page = await openTab(t);
  await page.setContent(html());
  for (const media of ['screen', 'print'] as const) {
    await page.emulateMedia({ media });
    const overflows = await page.evaluate<string[]>(
      "[...document.querySelectorAll('td:has(bdi), th:has(bdi)')].map(cell => getComputedStyle(cell).overflow)",
    );
    assert(overflows.length >= 4);
    assert.deepEqual(new Set(overflows), new Set(['clip']));
  }
});
