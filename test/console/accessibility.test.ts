import assert from 'node:assert/strict';
import { test } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { openTab, pagerButton, servedConsole, settled, signedIn, signIn } from '../support/console.ts';
import { suiteScope } from '../support/scope.ts';
import { numberedKey, numberedKeys } from '../support/seeded-service.ts';

const suite = suiteScope();
const archived = numberedKey(4, { status: 'archived', name: 'x'.repeat(1_000) });
const served = await servedConsole(suite, [...numberedKeys(4), archived]);
const FIRST_PAGE = '?limit=4';

async function assertAccessible(page: Page, view: string): Promise<void> {
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`);
  assert.deepEqual(found, [], view);
}

for (const [colorScheme, width] of [
  ['light', 1_280],
  ['dark', 1_280],
  ['light', 360],
] as const) {
  test(`axe finds no violation in any view: ${colorScheme}, ${width} px`, async t => {
    const page = await openTab(t, { colorScheme, viewport: { width, height: 800 } });
    await page.goto(served.url + FIRST_PAGE);
    await page.evaluate(axe.source);
    await assertAccessible(page, 'sign in');
    await page.getByLabel('Admin key').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await assertAccessible(page, 'wrong key');
    await signIn(page, served.secret);
    await settled(page);
    await assertAccessible(page, 'roster');
    await page.getByRole('button', { name: 'Exact times' }).click();
    await pagerButton(page, 'Next').click();
    await page.waitForURL(/after_id/);
    await settled(page);
    await assertAccessible(page, 'last page, exact times');
    await page.locator('.open').first().click();
    await page.getByRole('dialog').waitFor();
    await assertAccessible(page, 'the drawer of a key with a long name');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Workspace', { exact: true }).fill('wrkspc_none');
    await page.keyboard.press('Enter');
    await page.getByText('No API key matches').waitFor();
    await assertAccessible(page, 'empty');
    await page.getByLabel('Workspace', { exact: true }).fill('*');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await assertAccessible(page, 'error');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('5 API keys.').waitFor();
    for (const summary of await page.getByText('Numbers').all()) await summary.click();
    await assertAccessible(page, 'overview');
    await page.route('**/api_keys?*', () => {});
    await page.getByRole('button', { name: 'Count again' }).click();
    await page.getByRole('progressbar').waitFor();
    await assertAccessible(page, 'progress');
  });
}

test('the console works by keyboard, and turning a page keeps the focus', async t => {
  const page = await openTab(t);
  await page.goto(served.url + FIRST_PAGE);
  const focused = () =>
    page.evaluate('document.activeElement.textContent || document.activeElement.id') as Promise<string>;
  await page.locator('#admin-key:focus').waitFor();
  await page.keyboard.type(served.secret);
  await page.keyboard.press('Enter');
  await settled(page);
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to content');
  await page.keyboard.press('Enter');
  for (const name of ['Status', 'Workspace', 'Creator']) {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.labels[0].firstChild.data'), name);
  }
  await pagerButton(page, 'Next').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/after_id/);
  await settled(page);
  assert.equal(await focused(), 'Next');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(served.url + FIRST_PAGE);
});

for (const width of [360, 768, 1_280, 3_840]) {
  test(`no view is wider than a screen of ${width} px`, async t => {
    const page = await signedIn(t, served, { at: FIRST_PAGE, viewport: { width, height: 900 } });
    const tooWide = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.equal(await tooWide(), 0);
    await pagerButton(page, 'Next').click();
    await page.waitForURL(/after_id/);
    await settled(page);
    assert.equal(await tooWide(), 0);
    await page.locator('.open').first().click();
    await page.getByRole('dialog').waitFor();
    assert.equal(await tooWide(), 0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('5 API keys.').waitFor();
    assert.equal(await tooWide(), 0);
  });
}
