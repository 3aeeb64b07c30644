import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { names, pagerButton, servedConsole, settled, signedIn, signIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(6));
const LIMIT = '?limit=2';

const sheet = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' });

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test('? shows every shortcut, and Escape closes the list and gives the focus back', async t => {
  const page = await signedIn(t, served, { at: LIMIT });
  await pagerButton(page, 'Next').focus();
  await press(page, '?');
  await sheet(page).waitFor();
  const shown = (await sheet(page).locator('dt').allInnerTexts()).map(text => text.replaceAll(/\s/g, ''));
  for (const keys of ['go', 'gr', '/', 'j', 'k', 'n', 'p', '?', 'Esc'])
    assert(shown.includes(keys), `${keys} is not in ${shown}`);
  await press(page, 'Escape');
  await sheet(page).waitFor({ state: 'detached' });
  await pagerButton(page, 'Next').and(page.locator(':focus')).waitFor(); // a moment after the list is gone
});

test('g and a letter go to a view', async t => {
  const page = await signedIn(t, served, { at: LIMIT });
  await press(page, 'g', 'o');
  await page.waitForURL(/overview$/);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await press(page, 'x', 'g', 'r');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
});

test('n and p turn pages, j and k move between rows, and / goes to the filters', async t => {
  const page = await signedIn(t, served, { at: LIMIT });
  await press(page, 'p'); // nothing comes before the first page
  await press(page, 'n');
  await page.waitForURL(/after_id=k1/);
  await settled(page);
  assert.deepEqual(await names(page), ['Key 2', 'Key 3']);
  const row = () => page.evaluate("document.activeElement.closest('tr')?.querySelector('.name').textContent");
  for (const [key, name] of [
    ['j', 'Key 2'],
    ['j', 'Key 3'],
    ['j', 'Key 3'],
    ['k', 'Key 2'],
  ] as const) {
    await press(page, key);
    assert.equal(await row(), name);
  }
  await press(page, 'p');
  await page.waitForURL(served.url + LIMIT);
  await settled(page);
  await press(page, '/');
  assert.equal(await page.evaluate('document.activeElement.closest("form").className'), 'filters');
});

test('nothing happens while someone types, with a modifier key, or under an open dialog', async t => {
  const page = await signedIn(t, served, { at: LIMIT });
  await page.getByLabel('Workspace', { exact: true }).pressSequentially('go?n');
  assert.equal(await page.getByLabel('Workspace', { exact: true }).inputValue(), 'go?n');
  await page.getByLabel('Workspace', { exact: true }).fill(''); // leaving the field would filter by it
  await page.getByRole('heading').focus();
  await page.evaluate('document.activeElement.blur()');
  await press(page, 'Control+?', 'Alt+n', 'Meta+n');
  await press(page, '?');
  await sheet(page).waitFor();
  await press(page, 'n', 'g', 'o');
  assert.equal(page.url(), served.url + LIMIT);
});

test('shortcuts can be turned off, which is remembered, and on again', async t => {
  const page = await signedIn(t, served, { at: LIMIT });
  await press(page, '?');
  await page.getByLabel('Single-key shortcuts').uncheck();
  await press(page, 'Escape');
  await sheet(page).waitFor({ state: 'detached' });
  await page.reload();
  await signIn(page, served.secret);
  await settled(page);
  await press(page, 'n', '?', 'g', 'o');
  assert.equal(page.url(), served.url + LIMIT);
  assert.equal(await sheet(page).count(), 0);
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByLabel('Single-key shortcuts').check();
  await page.getByRole('button', { name: 'Close' }).click();
  await press(page, 'n');
  await page.waitForURL(/after_id/);
  assert.equal(await page.evaluate('localStorage.length'), 0);
});
