import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../src/roster/identifier.ts';
import type { PartialKeyHint } from '../../../src/roster/partial-key-hint.ts';
import { servedConsole, signedIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const suite = suiteScope();
/** With IDs as long as vendors make them. */
const served = await servedConsole(
  suite,
  Array.from({ length: 50 }, (_, number) =>
    numberedKey(number, {
      id: `apikey_01Rj2N8SVvo6BePZj99Nhm${100 + number}` as ApiKeyId,
      name: `Exporter of invoices, region ${number}`,
      createdBy: { id: 'user_01WCz1FkmYMm4gnmykNKUu3Q' as CreatorId, type: 'user' },
      workspaceId: 'wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ' as WorkspaceId,
      partialKeyHint: 'sk-vendor-production-api03-R2D2C3PO...igAA' as PartialKeyHint,
    }),
  ),
);
const LIST = '?limit=50';

const heightsOfRows = (page: Page) =>
  page.evaluate<number[]>(
    "[...document.querySelectorAll('tbody tr')].map(row => row.getBoundingClientRect().height)",
  );

for (const width of [961, 1_024, 1_280, 2_560]) {
  test(`a row is one line high on ${width} px`, async t => {
    const page = await signedIn(t, served, { at: LIST, viewport: { width, height: 800 } });
    const highest = Math.max(...(await heightsOfRows(page)));
    assert(highest <= 48, `${highest} px`);
  });
}

for (const width of [320, 360, 768, 1_280]) {
  test(`no text leaves its row on ${width} px`, async t => {
    const page = await signedIn(t, served, { at: LIST, viewport: { width, height: 800 } });
    const outside = await page.evaluate<string[]>(
      `[...document.querySelectorAll('tbody tr')].flatMap(row => {
        const { right } = row.getBoundingClientRect();
        return [...row.querySelectorAll('td')].filter(cell => {
          const shown = document.createRange();
          shown.selectNodeContents(cell);
          const cut = getComputedStyle(cell).overflowX !== 'visible';
          return (cut ? cell : shown).getBoundingClientRect().right > right + 1;
        }).map(cell => cell.textContent);
      })`,
    );
    assert.deepEqual(outside, []);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
  });
}

test('a larger screen shows more keys, not larger letters', async t => {
  const seen = async (width: number, height: number) => {
    const page = await signedIn(t, served, { at: LIST, viewport: { width, height } });
    const size = await page.evaluate<string>("getComputedStyle(document.querySelector('td')).fontSize");
    return { size, row: Math.max(...(await heightsOfRows(page))) };
  };
  const laptop = await seen(1_280, 800);
  for (const screen of [await seen(2_560, 1_440), await seen(3_840, 2_160)]) {
    assert.equal(screen.size, laptop.size);
    assert(screen.row < laptop.row, `${screen.row} and ${laptop.row} px`);
  }
});

test('text is larger where the browser is set to larger text', async t => {
  const page = await signedIn(t, served, { at: LIST, viewport: { width: 3_840, height: 2_160 } });
  const size = () => page.evaluate<string>("getComputedStyle(document.querySelector('td')).fontSize");
  const before = Number.parseFloat(await size());
  // What a browser's setting for the size of text does.
  await page.evaluate("document.documentElement.style.fontSize = '200%'");
  assert.equal(Number.parseFloat(await size()), 2 * before);
});
