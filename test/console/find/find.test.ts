import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import {
  enter,
  holdBack,
  listQueries,
  openTab,
  type ServedConsole,
  servedConsole,
  signIn,
  signInAgain,
} from '../../support/console.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const idOf = (number: number) => `apikey_${String(number).padStart(24, '0')}` as ApiKeyId;
const hintOf = (number: number) =>
  `sk-ven-api03-R${number % 10}D...ig${String(number).padStart(2, '0').slice(-2)}`;
/** Every hint is that of a few keys. */
const keys = Array.from({ length: 2_500 }, (_, number) =>
  numberedKey(number, {
    id: idOf(number),
    name: number === 1_200 ? 'Übersicht für Berlin' : `Key ${number}`,
    partialKeyHint: (number === 1_300 ? 'sk-ven-api03-ZZZ...last' : hintOf(number)) as PartialKeyHint,
  }),
);
const KEY = `sk-ven-api03-ZZZ${'a1B2c3D4'.repeat(6)}last`;
const served = await servedConsole(suiteScope(), keys);

async function finder(scope: Scope, { url, secret }: ServedConsole = served): Promise<Page> {
  const page = await openTab(scope);
  await page.goto(`${url}find`);
  // What the IDs look like is known after this.
  const sample = page.waitForResponse(/limit=100/);
  await signIn(page, secret);
  await sample;
  await page.locator('#find-note code').waitFor();
  return page;
}

const field = (page: Page) => page.getByLabel('Name, ID or hint');
const find = (page: Page, text: string) => enter(page, 'Name, ID or hint', text);

const rows = (page: Page) => page.locator('.api-keys tbody tr');

test('a key is found by a part of its name or by a hint, and a search is stopped, left, and goes on where it was', async t => {
  const page = await finder(t);
  const queries = listQueries(page);
  await find(page, 'ÜBER');
  await page.getByText('among 2,500.').waitFor();
  assert.equal(page.url(), `${served.url}find`);
  assert.deepEqual(queries, [
    '?limit=1000',
    `?limit=1000&after_id=${idOf(999)}`,
    `?limit=1000&after_id=${idOf(1_999)}`,
  ]);
  await find(page, '…last');
  await page.getByText('1 key found for …last among 2,500.').waitFor();
  assert.match(
    (await rows(page).innerText()).replaceAll('\n', ' '),
    /^Key 1300\s.*active\s.*user_0\s.*1,\d{3} days ago/s,
  );
  await find(page, '…x9last'); // more than the hint shows
  await page.getByText('1 key by one end alone: it may be the key').waitFor();
  await find(page, 'sk-ven-api03-QQQ...none');
  await page.getByText('No key that your admin key sees has this hint.').waitFor();
  await page.getByText('The roster was read up to now: 2,500 keys.').waitFor();
  await find(page, 'ÜBER');
  await rows(page).getByRole('link', { name: 'Übersicht für Berlin' }).click();
  await page.locator('.keys[aria-busy=false]').waitFor();
  assert.equal(page.url(), `${served.url}roster?after_id=${idOf(1_199)}#key=${idOf(1_200)}`);
  await page.getByRole('dialog').waitFor();
  assert.match((await rows(page).first().textContent()) ?? '', /Übersicht für Berlin/);

  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Find', exact: true }).click();
  const release = await holdBack(page, /after_id=/);
  await find(page, 'Key 99');
  await page.getByText('11 keys found for Key 99 so far, among 1,000.').waitFor();
  assert.equal(await page.evaluate('document.activeElement.id'), 'find');
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Continue');
  release();
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByRole('link', { name: 'Find', exact: true }).click();
  await page.getByText('11 keys found for Key 99 so far, among 1,000.').waitFor();
  assert.equal(await field(page).inputValue(), 'Key 99');
  queries.length = 0;
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('11 keys found for Key 99 among 2,500.').waitFor();
  assert(queries.includes(`?limit=1000&after_id=${idOf(999)}`) && !queries.includes('?limit=1000'));
  await find(page, 'key');
  await page.getByText('2,499 keys found for key among 2,500. The newest 500 of them are listed.').waitFor();
  assert.equal(await rows(page).count(), 500);
});

test('an ID tells the way to its place, one of a creator or a workspace finds its keys, and an unknown one is told', async t => {
  const creator = 'user_01uWAr3fivZyBp1w04vQuwdk';
  const workspace = 'wrkspc_01uWAr3fivZyBp1w04vQuwdk';
  const roster = keys.slice(0, 3).map(key => ({
    ...key,
    createdBy: { id: creator as CreatorId, type: 'user' as const },
    workspaceId: workspace as WorkspaceId,
  }));
  const own = await servedConsole(t, roster);
  const page = await finder(t, own);
  const queries = listQueries(page);
  await find(page, idOf(0));
  const place = page.getByRole('link', { name: 'Key 0' });
  assert.equal(
    await place.getAttribute('href'),
    `./roster#key=${idOf(0)}`,
    'the newest is on the first page',
  );
  for (const id of [creator, workspace]) {
    await find(page, id);
    await page.getByText(`3 keys found for ${id}`).waitFor();
    assert.equal(await field(page).inputValue(), id);
  }
  await find(page, idOf(9_999));
  await page.getByText('No key that your admin key sees has this in its name').waitFor();
  assert.deepEqual(new Set(queries), new Set(['?limit=1000']), 'an ID was sent');
});

test('a key that is found by a full key has the message of a leak in its drawer, in this session', async t => {
  const page = await finder(t);
  const drawer = page.getByRole('dialog');
  await find(page, KEY);
  await page.getByText('1 key found for sk-ven-api03-ZZZ...last among 2,500.').waitFor();
  await rows(page).getByRole('link', { name: 'Key 1300' }).click();
  await drawer.locator('.message').waitFor();
  assert.match(
    (await drawer.locator('.message').textContent()) ?? '',
    /^This API key was found outside \(its full text\)\..*apikey_0+1300\n.*Please archive it now and replace it where it is used\.$/s,
  );
  await signInAgain(page, served);
  await drawer.locator('.message').waitFor();
  assert.match((await drawer.locator('.message').textContent()) ?? '', /^Is this API key still needed\?/);
});
