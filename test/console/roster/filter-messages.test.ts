import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { names, servedConsole, settled, signedIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const served = await servedConsole(suiteScope(), numberedKeys(40));
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const invalidFields = (page: Page) =>
  page.evaluate<string[]>(
    "[...document.querySelectorAll('form [aria-invalid=true]')].map(({ name }) => name)",
  );
const continues = (page: Page) => page.getByRole('button', { name: 'Continue' }).count();

test('a part of an ID that no key has is told, with links to the known IDs that begin so', async t => {
  const page = await signedIn(t, served);
  await field(page, 'Workspace').fill('wrk');
  await page.keyboard.press('Enter');
  await page.getByText('No workspace with the ID wrk is known').waitFor();
  await page.locator('.empty').getByRole('link', { name: 'wrkspc_2' }).click();
  await page.waitForURL(`${served.url}?workspace_id=wrkspc_2`);
  await settled(page);
  assert((await names(page)).length > 0);
});

test('a creator that is known is not called unknown where other filters leave no key', async t => {
  const page = await signedIn(t, served);
  await field(page, 'Creator').fill('user_1');
  await page.keyboard.press('Enter');
  await page.waitForURL(/user_1/);
  await field(page, 'Status').selectOption('archived');
  await page.getByText('No API key matches these filters.').waitFor();
  assert.equal(await page.getByText('is known').count(), 0);
});

test('a range that ends before it begins is told, its fields are marked, and nothing is read', async t => {
  const page = await signedIn(t, served);
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  await page.evaluate("location.hash = 'created_from=2025-01-01&created_before=2024-12-01'");
  await page.getByText('Created from is not before Created before: no key can match').waitFor();
  assert.deepEqual(await invalidFields(page), ['created_from', 'created_before']);
  assert.equal(requests, 0);
  await field(page, 'Created before').fill('2030-01-01');
  await page.locator('.error').waitFor({ state: 'detached' });
  assert.deepEqual(await invalidFields(page), []);
});

for (const at of ['?status=bogus', '?status=bogus#created_before=2030-01-01'])
  test(`of ${at} only the service's refusal is shown, and the field is marked`, async t => {
    const page = await signedIn(t, served, { at });
    assert.match(await page.getByRole('alert').innerText(), /status: must be/);
    assert.deepEqual(await invalidFields(page), ['status']);
    assert.equal(await continues(page), 0);
    assert.equal(await page.getByText('found').count(), 0);
  });

test('a date field shows the day of a filter by time, and another day takes its place', async t => {
  const page = await signedIn(t, served, { at: '#created_before=2030-05-06T07:08:09Z' });
  const before = field(page, 'Created before');
  assert.equal(await before.inputValue(), '2030-05-06');
  assert.match((await before.getAttribute('title')) ?? '', /created before 2030-05-06 07:08:09 UTC/);
  await before.focus();
  await field(page, 'Status').focus(); // leaving the field changes nothing
  assert.match(page.url(), /07%3A08%3A09|07:08:09/);
  await before.fill('2030-05-07');
  await page.waitForURL(`${served.url}#created_before=2030-05-07`);
});

test('on a narrow screen the fields are behind one disclosure, and the chips are not', async t => {
  const page = await signedIn(t, served, { at: '?status=active', viewport: { width: 360, height: 740 } });
  assert.equal(await field(page, 'Status').isVisible(), false);
  assert(await page.getByRole('button', { name: 'Remove filter: active' }).isVisible());
  const firstKey = await page.locator('.open').first().boundingBox();
  assert(firstKey && firstKey.y < 740, `the first key is at ${firstKey?.y}`);
  await page.locator('summary', { hasText: 'Filters' }).click();
  await field(page, 'Status').selectOption('inactive');
  await page.waitForURL(`${served.url}?status=inactive`);
  assert(await field(page, 'Status').isVisible());
});

test('the cards of a tablet have two columns of fields', async t => {
  const page = await signedIn(t, served, { viewport: { width: 768, height: 1_000 } });
  const card = await page.locator('tbody tr').first().boundingBox();
  assert(card && card.height < 170, `${card?.height} px`);
});
