import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTab, servedConsole, settled, signedIn, signIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(3));

const isDark = (page: Page) =>
  page.evaluate<boolean>(
    'getComputedStyle(document.documentElement).backgroundColor.match(/\\d+/g).every(part => part < 64)',
  );

test('without a choice the console is light or dark as the system is, and stores nothing', async t => {
  const page = await signedIn(t, served, { colorScheme: 'dark' });
  assert.equal(await isDark(page), true);
  await page.emulateMedia({ colorScheme: 'light' });
  assert.equal(await isDark(page), false);
  assert.equal(await page.evaluate('localStorage.length'), 0);
});

test('a chosen theme holds against the system, after a reload too, until System is chosen', async t => {
  const page = await signedIn(t, served, { colorScheme: 'light' });
  await page.getByLabel('Theme').selectOption('Dark');
  assert.equal(await isDark(page), true);
  await page.reload();
  assert.equal(await isDark(page), true);
  await signIn(page, served.secret);
  assert.equal(await page.getByLabel('Theme').inputValue(), 'dark');
  await page.getByLabel('Theme').selectOption('System');
  assert.equal(await isDark(page), false);
  assert.equal(await page.evaluate('localStorage.length'), 0);
});

test('a remembered theme is there in the first frame, however late the script comes', async t => {
  const page = await openTab(t, { colorScheme: 'light' });
  await page.addInitScript("localStorage.setItem('keyroster:theme', 'dark')");
  await page.addInitScript(
    'requestAnimationFrame(() => { window.inFirstFrame = document.documentElement.dataset.theme ?? "none"; })',
  );
  await page.route('**/*.js', async route => {
    await new Promise(resolve => setTimeout(resolve, 500));
    await route.continue();
  });
  await page.goto(served.url);
  await page.waitForFunction('window.inFirstFrame');
  assert.equal(await page.evaluate('window.inFirstFrame'), 'dark');
});

test('with storage denied the switch works until the page is left', async t => {
  const page = await openTab(t, { colorScheme: 'light' });
  await page.addInitScript(`Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('denied', 'SecurityError'); },
  })`);
  await page.goto(served.url);
  await signIn(page, served.secret);
  await settled(page);
  await page.getByLabel('Theme').selectOption('Dark');
  assert.equal(await isDark(page), true);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal(await isDark(page), true);
});
