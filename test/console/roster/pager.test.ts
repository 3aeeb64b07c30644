import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKeyId } from '../../../src/roster/identifier.ts';
import { names, pagerButton, servedConsole, settled, signedIn } from '../../support/console.ts';
import { importKeys } from '../../support/roster.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey, numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(61));

test('Oldest walks to the last page of the filters, can be stopped, and begins at its end the second time', async t => {
  const page = await signedIn(t, served, { at: '?limit=7&status=active' });
  const expected = Array.from({ length: 61 }, (_, number) => number)
    .filter(number => number % 3 !== 0)
    .slice(-7);
  let requests = 0;
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/api_keys?*', async route => {
    requests += 1;
    if (requests === 1) await held;
    await route.continue().catch(() => {}); // the page has aborted the first one
  });
  await pagerButton(page, 'Oldest').click();
  await page.getByRole('button', { name: 'Stop' }).click();
  release();
  await page.getByRole('button', { name: 'Continue' }).click();
  const showsOldest = async () => {
    await page.waitForURL(/after_id=/);
    await page.getByText(`Key ${expected.at(-1)}`, { exact: true }).waitFor();
    await settled(page);
    assert.deepEqual(
      await names(page),
      expected.map(number => `Key ${number}`),
    );
    assert.equal(await pagerButton(page, 'Next').getAttribute('aria-disabled'), 'true');
  };
  await showsOldest();
  await page.goBack();
  await page.getByText('Key 1', { exact: true }).waitFor();
  requests = 0;
  await pagerButton(page, 'Oldest').click();
  await showsOldest();
  assert.equal(requests, 2, 'one for what is behind the page, and one for the page');
});

const isOldest = async (page: Page, name: string) => {
  await page.getByText(name, { exact: true }).waitFor();
  await settled(page);
  assert.equal((await names(page)).at(-1), name);
  assert.equal(await pagerButton(page, 'Next').getAttribute('aria-disabled'), 'true');
};

test('Oldest goes to the oldest page also once there are older keys than when it was found', async t => {
  const own = await servedConsole(t, numberedKeys(50));
  const page = await signedIn(t, own);
  await pagerButton(page, 'Oldest').click();
  await isOldest(page, 'Key 49');
  await importKeys(
    own.writer,
    own.organization,
    Array.from({ length: 60 }, (_, index) => numberedKey(50 + index)),
  );
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.locator('.pager [aria-disabled=true]').first().waitFor({ state: 'detached' });
  await pagerButton(page, 'Oldest').click();
  await isOldest(page, 'Key 109');
});

test('Oldest goes to the oldest page also once no key of it matches any more', async t => {
  const own = await servedConsole(t, numberedKeys(60));
  const page = await signedIn(t, own, { at: '?status=active&limit=5' });
  await pagerButton(page, 'Oldest').click();
  await isOldest(page, 'Key 59');
  const all = Array.from({ length: 20 }, (_, index) => `k${40 + index}` as ApiKeyId);
  await own.writer.setStatus(own.organization, all, 'archived');
  await pagerButton(page, 'First').click();
  await page.getByText('Key 1', { exact: true }).waitFor();
  await pagerButton(page, 'Oldest').click();
  await isOldest(page, 'Key 38');
});

test('a drawer that is opened ends the way to Oldest, and stays', async t => {
  const page = await signedIn(t, served);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(/limit=1000/, async route => {
    await held;
    await route.continue().catch(() => {}); // the page has aborted it
  });
  await pagerButton(page, 'Oldest').click();
  await page.getByText('Looking for the oldest page').waitFor();
  await page.getByRole('link', { name: 'Key 1', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  await page.getByText('Looking for the oldest page').waitFor({ state: 'detached' });
  release();
  await page.unrouteAll({ behavior: 'wait' });
  assert.equal(page.url(), `${served.url}#key=k1`);
  assert.equal(await page.getByRole('dialog').count(), 1);
});

test('a failed Next keeps the focus and the rows', async t => {
  const page = await signedIn(t, served);
  await page.route('**/api_keys?*', route => route.abort(), { times: 1 });
  await pagerButton(page, 'Next').focus();
  await page.keyboard.press('Enter');
  await page.getByText('The service could not be reached').waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Next');
  assert.equal((await names(page))[0], 'Key 0');
});
