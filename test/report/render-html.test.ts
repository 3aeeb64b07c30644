import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKeyRecord } from '../../src/client/client.ts';
import { ageOf } from '../../src/report/age.ts';
import { Breaches } from '../../src/report/breaches.ts';
import { maxAge } from '../../src/report/policies.ts';
import { renderHtml } from '../../src/report/render-html.ts';
import { ReportBuilder } from '../../src/report/report-builder.ts';
import { openTab } from '../support/console.ts';
import { exampleRecord } from '../support/example-record.ts';
import { suiteScope } from '../support/scope.ts';

const now = new Date('2026-11-22T10:20:30Z');
/** Drawn one above the other, some hundred lines high. */
const MARKS = '\u0301'.repeat(500) + '\u0323'.repeat(499);

/** Three keys: the name is that of the second, and once more of the third, so that it is in each section. */
function pageOf(name: string): string {
  const keys = ['first', name, name].map((each, index) => ({
    ...exampleRecord,
    id: `key_${index}`,
    name: each,
  }));
  const builder = new ReportBuilder(now, text => hash('sha256', text, 'buffer'));
  const policies = [maxAge(1)];
  const breaches = new Breaches(policies);
  const aged = (keys as ApiKeyRecord[]).map(key => ({ key, ageMs: ageOf(key.created_at, now) as number }));
  for (const { key, ageMs } of aged) builder.add(key, ageMs);
  breaches.add(aged);
  const html = [...renderHtml(builder.report(), policies, breaches)].join('');
  breaches.close();
  return html;
}

/** Pictures of all that is above and below each cell with the name, down the whole page. */
async function aroundNames(page: Page, html: string): Promise<string[]> {
  await page.setContent(html);
  const body = await page.locator('html').boundingBox();
  assert(body);
  const { width, height } = body;
  const cells = await page
    .locator('td, th')
    .filter({ hasText: 'x' })
    .filter({ has: page.locator('bdi') })
    .all();
  const boxes = await Promise.all(cells.map(cell => cell.boundingBox()));
  const pictures: string[] = [];
  let top = 0;
  for (const box of [...boxes, { y: height, height: 0 }]) {
    assert(box);
    // A border between two cells is of both.
    const clip = { x: 0, y: top, width, height: Math.floor(box.y) - 1 - top };
    if (clip.height > 0) pictures.push((await page.screenshot({ clip, fullPage: true })).toString('base64'));
    top = Math.ceil(box.y + box.height) + 1;
  }
  return pictures;
}

describe('the HTML report', () => {
  const scope = suiteScope();

  for (const media of ['screen', 'print'] as const)
    test(`draws no part of a name of combining marks outside of its cell, on ${media}`, async () => {
      const page = await openTab(scope, { viewport: { width: 1_000, height: 800 } });
      await page.emulateMedia({ media });
      const plain = await aroundNames(page, pageOf('x'));
      assert(plain.length >= 4);
      assert.deepEqual(await aroundNames(page, pageOf(`x${MARKS}`)), plain);
    });
});
