import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKey } from '../../../src/roster/api-key.ts';
import { parseTimestamp, type Timestamp } from '../../../src/roster/timestamp.ts';
import { names, servedConsole, signedIn, signIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey, numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const keys = numberedKeys(60);
const served = await servedConsole(suite, [
  ...keys,
  numberedKey(60, { createdAt: parseTimestamp('2020-01-02T03:04:05.678901Z') as Timestamp }),
]);
const field = await served.writer.addField({ name: 'calls', type: { kind: 'integer' } });
await served.writer.putApiKeys(served.organization, [
  { ...(keys[1] as ApiKey), declared: [{ field, value: 7 }] },
]);

const drawer = (page: Page) => page.getByRole('dialog');
const closed = (page: Page) => drawer(page).waitFor({ state: 'detached' });
const focusedId = (page: Page) => page.evaluate('document.activeElement.id');

async function recordOf(page: Page): Promise<Record<string, string>> {
  await drawer(page).locator('dl').waitFor();
  const terms = await drawer(page).locator('dt').allInnerTexts();
  const values = await drawer(page).locator('dd').allInnerTexts();
  return Object.fromEntries(
    terms.map((term, index) => [term, (values[index] ?? '').replaceAll(/\s+/g, ' ').trim()]),
  );
}

test('a row opens the whole record of its key, by keyboard too, and Escape gives the focus back to the row', async t => {
  const page = await signedIn(t, served, { at: '?limit=20#created_from=2020-01-01' });
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
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
  assert.equal(page.url(), `${served.url}?limit=20#created_from=2020-01-01&key=k1`);
  await page.keyboard.press('Escape');
  await closed(page);
  assert.equal(await focusedId(page), 'key-k1');
  assert.equal(page.url(), `${served.url}?limit=20#created_from=2020-01-01`);
  assert.equal(requests, 0, 'the list was loaded again');
});

test('Back closes a drawer, Forward opens it, and opening and closing leaves no entries in the history', async t => {
  const page = await signedIn(t, served);
  const open = (name: string) => page.getByRole('link', { name, exact: true }).click();
  await open('Key 3');
  await drawer(page).waitFor();
  await page.goBack();
  await closed(page);
  await page.goForward();
  await drawer(page).waitFor();
  await page.goBack();
  await closed(page);
  const entries = await page.evaluate('history.length');
  for (const name of ['Key 4', 'Key 5']) {
    await open(name);
    await drawer(page).getByRole('button', { name: 'Close' }).click();
    await closed(page);
  }
  assert.equal(await page.evaluate('history.length'), entries);
  assert.equal(page.url(), served.url);
});

test('a link to a key that the list does not show opens its drawer, also after a reload', async t => {
  const page = await signedIn(t, served, { at: '?status=archived#key=k37' });
  assert.equal((await recordOf(page)).ID, 'k37');
  await page.reload();
  await signIn(page, served.secret);
  assert.equal((await recordOf(page)).Name, 'Key 37');
  await page.keyboard.press('Escape');
  await closed(page);
  assert.equal(page.url(), `${served.url}?status=archived`);
});

for (const [id, neighbour] of [
  ['k0', 'Key 1'],
  ['k37', 'Key 36'],
  ['k60', 'Key 59'],
] as const) {
  test(`the place of ${id} among all keys is a page that has it and ${neighbour}, with the focus on its row`, async t => {
    const page = await signedIn(t, served, { at: `?limit=5&status=archived#key=${id}` });
    await drawer(page).getByRole('button', { name: 'Show it among all keys' }).click();
    await closed(page);
    await page.locator(`#key-${id}:focus`).waitFor();
    const shown = await names(page);
    assert(shown.length <= 5 && shown.includes(neighbour), `${shown}`);
    assert.match(page.url(), /\?limit=5(&after_id=k\d+)?$/);
  });
}

test('the workspace and the creator of a drawer filter the list further and close it', async t => {
  const page = await signedIn(t, served, { at: '?status=active&limit=50#key=k1' });
  await drawer(page).getByRole('link', { name: 'wrkspc_1' }).click();
  await closed(page);
  assert.equal(page.url(), `${served.url}?status=active&workspace_id=wrkspc_1&limit=50`);
  await page.goto(`${served.url}?status=archived#key=k0`);
  await signIn(page, served.secret);
  await drawer(page).getByRole('link', { name: 'the default workspace' }).click();
  await closed(page);
  assert.equal(
    page.url(),
    `${served.url}#default_workspace=true`,
    'filters that the key does not match stayed',
  );
});

test('an ID of no key says so, and the list stays', async t => {
  const page = await signedIn(t, served, { at: '#key=k999' });
  await drawer(page).getByText('There is no such key.').waitFor();
  await page.keyboard.press('Escape');
  await closed(page);
  assert.equal((await names(page)).length, 20);
});

test('ID, hint, creator, workspace and a message to the creator are copied', async t => {
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
    assert.equal(
      await drawer(page)
        .getByRole('button', { name: `Copy ${what}` })
        .count(),
      1,
    );
  await drawer(page).getByRole('button', { name: 'Copy the message' }).click();
  await drawer(page).getByText('Copied', { exact: true }).nth(1).waitFor();
  const message = String(await clipboard());
  for (const part of [
    'Name: Key 60',
    'Hint: sk-ven-api03-R2D...igAA',
    'ID: k60',
    'Created: 2020-01-02, age ',
    ' by user_0',
    'Workspace: the default workspace',
    'Status: inactive',
    'replace it with a new key: it is more than a year old.',
  ])
    assert(message.includes(part), `${part} is not in ${message}`);
});

test('the message is about a leak where that is chosen, and asks to replace no new key where it is not', async t => {
  const page = await signedIn(t, served, { at: '#key=k1' });
  const message = drawer(page).locator('.message');
  await message.waitFor();
  assert.match(await message.innerText(), /If it is, please say what for\.$/);
  await drawer(page).getByLabel('Leaked').check();
  assert.match(await message.innerText(), /^This API key was found outside/);
});
