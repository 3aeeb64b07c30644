import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../src/roster/identifier.ts';
import { parseTimestamp, type Timestamp } from '../../../src/roster/timestamp.ts';
import { names, openTab, servedConsole, settled, signedIn, signIn, turn } from '../../support/console.ts';
import { openOverview, shownOverview } from '../../support/overview.ts';
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
const HIDDEN = [
  ['\u202e', 'U+202E'],
  ['\u202c', 'U+202C'],
  ['\u2067', 'U+2067'],
  ['\u0007', 'U+0007'],
] as const;
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
/** With IDs and names as long as real ones. */
const long = await servedConsole(
  suite,
  [0, 1, 2, 3].map(number =>
    numberedKey(number, {
      id: `apikey_01Rj2N8SVvo6BePZj99NhmiT${number}` as ApiKeyId,
      name: HOSTILE[number + 8] ?? '',
      createdBy: { id: 'svac_01WCz1FkmYMm4gnmykNKUu3Q' as CreatorId, type: 'service_account' },
      workspaceId: 'wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ' as WorkspaceId,
    }),
  ),
);
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

test('a row is one line of name, ID, hint, status, workspace, creator and date', async t => {
  const page = await signedIn(t, served);
  const last = row(page, 'The last');
  const cells = await last.getByRole('cell').allInnerTexts();
  assert.deepEqual(
    cells.map(text => text.replaceAll('\n', ' ').trim()),
    [
      'The last',
      'k20',
      'sk-ven-api03-R2D...igAA',
      'active',
      'default',
      'svac_1 service account',
      await last.locator('time').innerText(),
    ],
  );
  const family = await page.evaluate("getComputedStyle(document.querySelector('td .mono')).fontFamily");
  assert.match(String(family), /monospace/);
});

test('the date of a key is shown with its age, rounded down, and the exact time on hover or for all keys', async t => {
  const page = await openTab(t);
  await page.clock.setFixedTime('2026-09-29T00:00:00Z');
  await page.goto(served.url);
  await signIn(page, served.secret);
  await settled(page);
  const time = row(page, 'The last').locator('time');
  assert.equal(await time.innerText(), '2024-10-30 1 y 10 mo');
  assert.equal(await time.getAttribute('title'), '2024-10-30 23:58:27.427722 UTC');
  await page.getByRole('button', { name: 'Exact times' }).click();
  assert.equal(await time.innerText(), '2024-10-30 23:58:27.427722 UTC');
});

test('every name is shown as text and stays within its row', async t => {
  const page = await signedIn(t, served, { viewport: { width: 1_280, height: 900 } });
  page.on('dialog', dialog => assert.fail(`a name ran as a script: ${dialog.message()}`));
  const boxed = (name: string) =>
    HIDDEN.reduce((text, [character, number]) => text.replaceAll(character, number), name);
  const begin = (name: string) => (name.length > 200 ? `${name.slice(0, 200)}…` : name);
  const shown = HOSTILE.filter(name => name.trim() !== '')
    .map(boxed)
    .map(begin);
  assert.deepEqual(await names(page), [...shown, 'The last']);
  assert.equal(await page.getByText(/^(no name|3 spaces)$/).count(), 2);
  assert.equal(await page.locator('main img, main script, .name svg').count(), 0);
  // A text direction that a name opens and doesn't close ends with the name.
  const directions = await page.evaluate<string[]>(
    "[...document.querySelectorAll('td .mono')].map(id => getComputedStyle(id).direction)",
  );
  assert.deepEqual(new Set(directions), new Set(['ltr']));
});

for (const width of [960, 1_000, 1_024, 1_280, 2_560]) {
  test(`each row is one line of about 44 px on a screen of ${width} px, and shows the end of the hint`, async t => {
    const page = await signedIn(t, long, { viewport: { width, height: 900 } });
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('tbody tr')].map(row => row.getBoundingClientRect().height)",
    );
    assert(Math.min(...heights) >= 32 && Math.max(...heights) <= 46, `${heights}`);
    const ends = await page.evaluate<(readonly [string, boolean])[]>(`
      [...document.querySelectorAll('td:nth-child(3) .middle')].map(({ lastChild, parentElement }) =>
        [lastChild.textContent, lastChild.getBoundingClientRect().right <= parentElement.getBoundingClientRect().right])`);
    assert.deepEqual(new Set(ends.map(String)), new Set(['R2D...igAA,true']));
  });
}

test('a button copies an ID; it is seen under the pointer and with the focus', async t => {
  const page = await signedIn(t, served, { permissions: ['clipboard-read', 'clipboard-write'] });
  const copy = page.getByRole('button', { name: 'Copy ID k3', exact: true });
  const color = () =>
    page.evaluate('getComputedStyle(document.querySelector(\'[aria-label="Copy ID k3"]\')).color');
  assert.equal(await color(), 'rgba(0, 0, 0, 0)');
  await copy.focus();
  assert.notEqual(await color(), 'rgba(0, 0, 0, 0)');
  await copy.blur();
  await row(page, 'k3').locator('.copyable').first().hover();
  assert.notEqual(await color(), 'rgba(0, 0, 0, 0)');
  await copy.click();
  await page.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'k3');
  await page.getByText('Copied: k3').waitFor();
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
  await page.getByText('robot', { exact: true }).waitFor();
  await openOverview(page, HOSTILE.length + 1);
  const { charts } = await shownOverview(page);
  assert.deepEqual(charts['By status']?.at(-1), ['suspended', 1]);
});
