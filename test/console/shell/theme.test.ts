import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openMenu, servedConsole, signedIn, signIn, signInAgain } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';

const served = await servedConsole(suiteScope(), []);

const isDark = (page: Page) =>
  page.evaluate<boolean>(
    'getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).every(part => part < 64)',
  );

test('a theme is the system’s or a chosen one, which a reload has in its first frame, until System is chosen, or till a page is left that may not store it', async t => {
  const page = await signedIn(t, served, { colorScheme: 'dark' });
  assert.equal(await isDark(page), true);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await isDark(page), false);
  assert.equal(await page.evaluate('localStorage.length'), 0);
  await openMenu(page, 'header');
  await page.getByLabel('Theme').selectOption('Dark');
  assert.equal(await isDark(page), true);
  await page.addInitScript(
    'requestAnimationFrame(() => { window.inFirstFrame = document.documentElement.dataset.theme ?? "none"; })',
  );
  await page.route('**/*.js', async route => {
    await new Promise(resolve => setTimeout(resolve, 500)); // however late the script comes
    await route.continue();
  });
  await page.reload();
  await page.waitForFunction('window.inFirstFrame');
  assert.equal(await page.evaluate('window.inFirstFrame'), 'dark');
  await signIn(page, served.secret);
  await openMenu(page, 'header');
  assert.equal(await page.getByLabel('Theme').inputValue(), 'dark');
  await page.getByLabel('Theme').selectOption('System');
  assert.equal(await isDark(page), false);
  assert.equal(await page.evaluate('localStorage.length'), 0);

  await page.addInitScript(`Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('denied', 'SecurityError'); },
  })`);
  await signInAgain(page, served);
  await openMenu(page, 'header');
  await page.getByLabel('Theme').selectOption('Dark');
  await page.getByRole('link', { name: 'Find' }).click();
  await page.getByRole('heading', { name: 'Find a key' }).waitFor();
  assert.equal(await isDark(page), true);
});
