import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTab, pagerButton, servedConsole, settled, visit } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const served = await servedConsole(suiteScope(), numberedKeys(60));
const LIMIT = 'roster?limit=2';
const focusedId = (page: Page) => page.evaluate('document.activeElement.id');

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** What has the focus, and whether something covers its begin, from its upper to its lower edge. */
const FOCUSED = `(() => {
  const focused = document.activeElement;
  const { left, top, bottom } = focused.getBoundingClientRect();
  const isSeen = y => focused.contains(document.elementFromPoint(left + 3, y));
  const name = focused.getAttribute('aria-label') ?? focused.textContent.slice(0, 40);
  return { name, none: focused === document.body, seen: isSeen(top + 3) && isSeen(bottom - 3) };
})()`;
const focused = (page: Page) => page.evaluate<{ name: string; none: boolean; seen: boolean }>(FOCUSED);

test('the console works by keyboard from sign-in on, and whatever has the focus is seen, also on a zoomed screen', async t => {
  const page = await openTab(t);
  await page.goto(served.url + LIMIT);
  await page.locator('#admin-key:focus').waitFor();
  await page.keyboard.type(served.secret);
  await press(page, 'Enter');
  await settled(page);
  assert.equal(await focusedId(page), 'content');
  await page.getByRole('button', { name: 'Skip to content' }).press('Enter');
  for (const name of ['Status', 'Workspace', 'Creator']) {
    await press(page, 'Tab');
    assert.equal(await page.evaluate('document.activeElement.labels[0].firstChild.data'), name);
  }
  await pagerButton(page, 'Next').focus();
  await press(page, 'Enter');
  await page.waitForURL(/after_id/);
  await settled(page);
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Next');
  await press(page, 'Shift+Tab', 'Enter');
  await page.waitForURL(served.url + LIMIT);

  await visit(page, served, 'roster?limit=50');
  const link = page.locator('tbody a', { hasText: 'user_1' }).nth(20);
  await link.scrollIntoViewIfNeeded();
  assert((await page.evaluate<number>('scrollY')) > 0);
  await link.click();
  await page.waitForURL(/created_by_user_id/);
  await settled(page);
  assert.equal(await page.evaluate('scrollY'), 0, 'a list that is opened does not begin at its top');
  assert.equal((await focused(page)).none, false);

  await visit(page, served, 'roster');
  for (const [width, height] of [
    [1_280, 600],
    [320, 200], // 1,280 px at a zoom of 400 %
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const key of ['Tab', 'Shift+Tab'])
      for (let stop = 0; stop < 60; stop += 1) {
        await press(page, key);
        const { name, none, seen } = await focused(page);
        if (none) break; // the end of the page
        assert(seen, `${width} × ${height}, ${key} ${stop}: ${name}`);
      }
  }
});
