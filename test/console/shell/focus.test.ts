import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openTab, servedConsole, settled, signedIn, signIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(60));

/** What has the focus, and whether something covers its begin, from its upper to its lower edge. */
const FOCUSED = `(() => {
  const focused = document.activeElement;
  const { left, top, bottom } = focused.getBoundingClientRect();
  const isSeen = y => focused.contains(document.elementFromPoint(left + 3, y));
  const name = focused.getAttribute('aria-label') ?? focused.textContent.slice(0, 40);
  return { name, none: focused === document.body, seen: isSeen(top + 3) && isSeen(bottom - 3) };
})()`;
const focused = (page: Page) => page.evaluate<{ name: string; none: boolean; seen: boolean }>(FOCUSED);
const scrolledTo = (page: Page) => page.evaluate<number>('scrollY');
/** Not `waitForFunction`, which the Content-Security-Policy forbids for text. */
async function comesTrue(page: Page, expression: string): Promise<void> {
  for (let tries = 0; !(await page.evaluate(expression)); tries += 1) {
    assert(tries < 500, `not true: ${expression}; scrolled to ${await scrolledTo(page)}`);
    await setTimeout(20);
  }
}

for (const [width, height] of [
  [1_280, 600],
  [320, 200], // 1,280 px at a zoom of 400 %
] as const) {
  test(`whatever has the focus is seen on ${width} × ${height} px, forward and backward`, async t => {
    const page = await signedIn(t, served, { viewport: { width, height } });
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let stop = 0; stop < 80; stop += 1) {
        await page.keyboard.press(key);
        const { name, none, seen } = await focused(page);
        if (none) break; // the end of the page
        assert(seen, `${key} ${stop}: ${name}`);
      }
    }
  });
}

test('after sign-in the focus is at the content, and the view is announced', async t => {
  const page = await openTab(t);
  await page.goto(served.url);
  await signIn(page, served.secret);
  await settled(page);
  assert.equal(await page.evaluate('document.activeElement.id'), 'content');
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.closest("main") !== null'), true);
});

test('a button that is gone after its click leaves the focus at the content', async t => {
  const page = await signedIn(t, served);
  await page.route('**/api_keys*', route => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate('document.activeElement.id'), 'content');
});

test('a link in a scrolled row opens its list at the top, and Back shows the row again', async t => {
  const page = await signedIn(t, served, { at: '?limit=50', viewport: { width: 1_280, height: 600 } });
  const link = page.locator('tbody a', { hasText: 'user_1' }).nth(20);
  await link.scrollIntoViewIfNeeded();
  const before = await scrolledTo(page);
  assert(before > 0);
  await comesTrue(page, 'history.state?.top === scrollY');
  await link.click();
  await page.waitForURL(/created_by_user_id/);
  await settled(page);
  assert.equal(await scrolledTo(page), 0);
  assert.equal((await focused(page)).none, false);
  await page.goBack();
  await comesTrue(page, `scrollY === ${before}`);
});

test('Back from another view shows the list where it was left', async t => {
  const page = await signedIn(t, served, { at: '?limit=50', viewport: { width: 1_280, height: 600 } });
  await page.evaluate('scrollTo(0, 900)');
  await comesTrue(page, 'history.state?.top === 900');
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await comesTrue(page, 'scrollY === 0');
  await page.goBack();
  await comesTrue(page, 'scrollY === 900');
});
