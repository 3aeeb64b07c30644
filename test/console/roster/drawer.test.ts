import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { parseTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import {
  listQueries,
  names,
  servedConsole,
  settled,
  signedIn,
  signIn,
  visit,
} from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey, numberedKeys } from '../../support/seeded-service.ts';

const keys = numberedKeys(60);
const old = numberedKey(60, { createdAt: parseTimestamp('2020-01-02T03:04:05.678901Z') as Timestamp });
const served = await servedConsole(suiteScope(), [...keys, old]);
const field = await served.writer.addField({ name: 'calls', type: { kind: 'integer' } });
await served.writer.putApiKeys(served.organization, [
  { ...(keys[1] as ApiKey), declared: [{ field, value: 7 }] },
]);

const drawer = (page: Page) => page.getByRole('dialog');
const closed = (page: Page) => drawer(page).waitFor({ state: 'detached' });

async function recordOf(page: Page): Promise<Record<string, string>> {
  await drawer(page).locator('dl').waitFor();
  const terms = await drawer(page).locator('dt').allInnerTexts();
  const values = await drawer(page).locator('dd').allInnerTexts();
  return Object.fromEntries(
    terms.map((term, index) => [term, (values[index] ?? '').replaceAll(/(\s|\bCopy\b)+/g, ' ').trim()]),
  );
}

test('a row or a link opens the whole record of its key, which leads to its place and its like, and Escape gives the list back', async t => {
  const page = await signedIn(t, served, { at: '?created_from=2020-01-01&limit=20' });
  const queries = listQueries(page);
  await page.getByRole('link', { name: 'Key 1', exact: true }).focus();
  await page.keyboard.press('Enter');
  const { Created, Age, ...record } = await recordOf(page);
  assert.deepEqual(record, {
    Name: 'Key 1',
    ID: 'k1',
    Hint: 'sk-ven-api03-R2D...igAA',
    Status: 'active',
    Workspace: 'wrkspc_1',
    Creator: 'user_1 user',
    Calls: '7',
  });
  assert.match(Created ?? '', /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} UTC$/);
  assert.equal(Age, '1 day');
  assert.equal(page.url(), `${served.url}roster?created_from=2020-01-01&limit=20#key=k1`);
  await page.keyboard.press('Escape');
  await closed(page);
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Key 1');
  assert.equal(page.url(), `${served.url}roster?created_from=2020-01-01&limit=20`);
  await page.goForward();
  await drawer(page).waitFor();
  await page.goBack();
  await closed(page);
  const entries = await page.evaluate('history.length');
  for (const name of ['Key 4', 'Key 5']) {
    await page.getByRole('link', { name, exact: true }).click();
    await drawer(page).getByRole('button', { name: 'Close' }).click();
    await closed(page);
  }
  assert.equal(await page.evaluate('history.length'), entries);
  assert.deepEqual(queries, [], 'the list was loaded again');

  await visit(page, served, '?limit=5&status=archived#key=k37');
  assert.equal((await recordOf(page)).ID, 'k37');
  await page.reload();
  await signIn(page, served.secret);
  assert.equal((await recordOf(page)).Name, 'Key 37');
  await drawer(page).getByRole('link', { name: 'Show it among all keys' }).click();
  await closed(page);
  await page.waitForURL(`${served.url}roster?after_id=k36`);
  await settled(page);
  assert.equal((await names(page))[0], 'Key 37');
  await visit(page, served, '?status=active&limit=50#key=k1');
  await drawer(page).getByRole('link', { name: 'wrkspc_1' }).click();
  await closed(page);
  assert.equal(page.url(), `${served.url}roster?status=active&workspace_id=wrkspc_1&limit=50`);
  await visit(page, served, '#key=k999');
  await drawer(page).getByText('There is no such key.').waitFor();
  await page.keyboard.press('Escape');
  await closed(page);
  assert.equal((await names(page)).length, 20);
});

test('parts of a record and a message to its creator are copied', async t => {
  const page = await signedIn(t, served, {
    at: '#key=k60',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await recordOf(page);
  const clipboard = () => page.evaluate('navigator.clipboard.readText()');
  await drawer(page).getByRole('button', { name: 'Copy hint' }).click();
  await drawer(page).getByText('Copied', { exact: true }).waitFor();
  assert.equal(await clipboard(), 'sk-ven-api03-R2D...igAA');
  for (const what of ['ID', 'creator'])
    await drawer(page)
      .getByRole('button', { name: `Copy ${what}` })
      .waitFor();
  await drawer(page).getByRole('button', { name: 'Copy message' }).click();
  await drawer(page).getByText('Copied', { exact: true }).nth(1).waitFor();
  assert.match(String(await clipboard()), /^Is this API key still needed\?.*, k60\n/s);
  await drawer(page).getByLabel('Leaked').check();
  assert.match(await drawer(page).locator('.message').innerText(), /^This API key was found outside/);
  await page.keyboard.press('Escape');
  await closed(page);
});
