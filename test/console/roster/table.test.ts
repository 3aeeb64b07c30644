import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { CreatorId } from '../../../src/roster/identifier.ts';
import { parseTimestamp, type Timestamp } from '../../../src/roster/timestamp.ts';
import { names, servedConsole, signedIn, turn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '"><svg/onload=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}',
  'javascript:alert(1)',
  'خدمة العملاء (إنتاج) 12',
  '\u202egnp.exe\u202c after',
  '\u2067 never closed',
  'line\nfeed\ttab\u0007bell',
  'é'.repeat(500),
  'x'.repeat(1_000),
  '👩‍👩‍👧‍👦'.repeat(140),
  '',
  '   ',
];
const suite = suiteScope();
const createdAt = parseTimestamp('2024-10-30T23:58:27.427722Z') as Timestamp;
const hostile = HOSTILE.map((name, number) => numberedKey(number, { name }));
const served = await servedConsole(suite, [
  ...hostile,
  numberedKey(20, {
    createdAt,
    createdBy: { id: 'svac_1' as CreatorId, type: 'service_account' },
    name: 'The last',
  }),
]);
/** How roster/key-name.tsx shows a character that can't be seen. */
const numberOf = (character: string) =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a row shows name, ID, hint, status, workspace, creator and age, with the exact time on hover', async t => {
  const page = await signedIn(t, served);
  const last = row(page, 'The last');
  const cells = await last.getByRole('cell').allInnerTexts();
  assert.deepEqual(
    cells.map(text => text.replaceAll('\n', ' ').trim()),
    [
      'The last k20',
      'sk-ven-api03-R2D...igAA',
      'active',
      'default',
      'svac_1',
      await last.locator('time').innerText(),
      'Copy ID',
    ],
  );
  assert.match(await last.locator('time').innerText(), /^(last year|\d+ (months|years) ago)$/);
  assert.equal(await last.locator('time').getAttribute('title'), '2024-10-30 23:58:27.427722 UTC');
  await page.getByRole('button', { name: 'Exact times' }).click();
  assert.equal(await last.locator('time').innerText(), '2024-10-30 23:58:27.427722 UTC');
  const family = await page.evaluate("getComputedStyle(document.querySelector('td code')).fontFamily");
  assert.match(String(family), /monospace/);
});

test('every name is shown as text and stays within its row', async t => {
  const page = await signedIn(t, served, { viewport: { width: 1_280, height: 900 } });
  page.on('dialog', dialog => assert.fail(`a name ran as a script: ${dialog.message()}`));
  const shown = HOSTILE.filter(name => name.trim() !== '').map(name =>
    name.replaceAll(/(?!\s)[\p{Cc}\p{Bidi_Control}]/gu, numberOf),
  );
  assert.deepEqual(await names(page), [...shown, 'The last']);
  assert.equal(await page.getByText('no name').count(), 2);
  assert.equal(await page.locator('main img, main script, main svg').count(), 0);
  const heights = await page.evaluate<number[]>(
    "[...document.querySelectorAll('tbody tr')].map(row => row.getBoundingClientRect().height)",
  );
  assert(Math.max(...heights) < 200, `${heights}`);
  // A text direction that a name opens and doesn't close ends with the name.
  const idDirections = await page.evaluate<string[]>(
    "[...document.querySelectorAll('.name-cell .mono')].map(id => getComputedStyle(id).direction)",
  );
  assert.deepEqual(new Set(idDirections), new Set(['ltr']));
});

test('a long name is cut until a click shows all of it', async t => {
  const page = await signedIn(t, served);
  const long = row(page, 'x'.repeat(1_000));
  const whole = await page.evaluate<number>("document.querySelector('.name.cut').scrollHeight");
  const shown = (await long.locator('.name').boundingBox())?.height ?? 0;
  assert(shown > 0 && shown < whole, `${shown} of ${whole} px`);
  await long.getByRole('button', { name: 'Show the whole name' }).click();
  assert.equal(await long.getByRole('button', { name: 'Show less' }).getAttribute('aria-expanded'), 'true');
  assert.equal(await long.locator('.name.cut').count(), 0);
});

test('a click copies an ID', async t => {
  const page = await signedIn(t, served, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Copy ID k3', exact: true }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'k3');
  assert.equal(await page.getByRole('status').last().innerText(), 'Copied: k3');
});

test('a click copies an ID where the browser has no clipboard API, as over plain HTTP', async t => {
  const page = await signedIn(t, served, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.evaluate(
    "window.clipboard = navigator.clipboard; Object.defineProperty(navigator, 'clipboard', { value: undefined })",
  );
  await page.getByRole('button', { name: 'Copy ID k4', exact: true }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await page.evaluate('window.clipboard.readText()'), 'k4');
});

test('the page size is the limit in the address', async t => {
  const page = await signedIn(t, served, { at: '?limit=3' });
  assert.equal((await page.getByRole('row').count()) - 1, 3);
  assert.equal(await page.getByLabel('Page size').inputValue(), '3');
  await turn(page, 'Next');
  assert.equal(page.url(), `${served.url}?limit=3&after_id=k2`);
});

test('a status, a creator type and a field that only a newer service has are shown', async t => {
  const page = await signedIn(t, served);
  await page.route('**/v1/organizations/api_keys*', async route => {
    const answer = await route.fetch();
    const { data, ...rest } = await answer.json();
    const newer = { status: 'suspended', created_by: { id: 'robot_1', type: 'robot' }, expires_at: null };
    const changed = data.map((key: object, index: number) => (index === 0 ? { ...key, ...newer } : key));
    await route.fulfill({ response: answer, json: { ...rest, data: changed } });
  });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.locator('.badge', { hasText: 'suspended' }).waitFor();
  await page.getByTitle('Only this creator (robot)').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  const card = page.getByRole('region', { name: 'By status' });
  await card.getByText('Numbers').click();
  const rows = await card.locator('tbody tr').allInnerTexts();
  assert.match(String(rows.at(-1)), /^suspended\s+1$/);
});
