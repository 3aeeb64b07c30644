import assert from 'node:assert/strict';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { servedConsole, signedIn } from '../../support/console.ts';
import { modelPage } from '../../support/model.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey, numberedKeys } from '../../support/seeded-service.ts';

const keys = [
  ...numberedKeys(4_998),
  numberedKey(4_998, { name: '=1+1' }),
  numberedKey(4_999, { name: 'a "b", c\n' }),
];
const served = await servedConsole(suiteScope(), keys);

async function downloaded(page: Page, button: string): Promise<{ name: string; content: string }> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: file.suggestedFilename(), content: String(await buffer(await file.createReadStream())) };
}

/** With the organization and the day. */
const fileName = (format: string) =>
  new RegExp(`^api-keys-${served.organization}-\\d{4}-\\d\\d-\\d\\d\\.${format}$`);

test('the JSON file has every record as the service lists it', async t => {
  const page = await signedIn(t, served, { at: 'overview' });
  const { name, content } = await downloaded(page, 'Download JSON');
  assert.match(name, fileName('json'));
  assert.deepEqual(
    JSON.parse(content),
    modelPage(keys, { limit: keys.length, cursor: null, filter: {} })?.data,
  );
});

test('the CSV file has every record, and no cell that a spreadsheet would run as a formula', async t => {
  const page = await signedIn(t, served, { at: 'overview' });
  const { name, content } = await downloaded(page, 'Download CSV');
  assert.match(name, fileName('csv'));
  assert.equal(content[0], '\uFEFF'); // for spreadsheets
  const lines = content.slice(1).split('\n');
  assert.equal(
    lines[0],
    'id,name,created_at,created_by.id,created_by.type,partial_key_hint,status,workspace_id',
  );
  assert.match(lines[1] ?? '', /^k0,Key 0,[^,]+Z,user_0,user,sk-ven-api03-R2D\.\.\.igAA,inactive,$/);
  assert.match(lines[4_999] ?? '', /^k4998,'=1\+1,/);
  assert.match(lines[5_000] ?? '', /^k4999,"a ""b"", c$/);
  assert.equal(lines.length, 5_003);
});

test('a download goes on when the overview is left', async t => {
  const page = await signedIn(t, served, { at: 'overview' });
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/api_keys?*after_id*', async route => {
    await released;
    await route.continue();
  });
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  await page.getByRole('link', { name: 'Roster' }).click();
  await page.getByRole('table').waitFor();
  await page.getByText(/Reading for api-keys-.*json/).waitFor();
  // Stop keeps what was read; only then there is the button that forgets it.
  const discard = page.getByRole('button', { name: 'Discard what was read' });
  assert.equal(await discard.count(), 0);
  await page.getByRole('button', { name: 'Stop' }).click();
  await discard.waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await discard.waitFor({ state: 'detached' });
  release();
  assert.equal(JSON.parse(await text(await (await file).createReadStream())).length, keys.length);
});

test('two downloads of one name are two, and discarding one leaves the other', async t => {
  const page = await signedIn(t, served, { at: 'overview' });
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/api_keys?*after_id*', async route => {
    await released;
    await route.continue().catch(() => {}); // one of them was aborted
  });
  const downloads = page.getByRole('region', { name: 'Downloads' });
  for (let count = 0; count < 2; count++) await page.getByRole('button', { name: 'Download JSON' }).click();
  assert.equal(await downloads.getByText(/Reading for/).count(), 2);
  await downloads.getByRole('button', { name: 'Stop' }).first().click();
  await downloads.getByRole('button', { name: 'Discard what was read' }).click();
  assert.equal(await downloads.getByText(/Reading for/).count(), 1);
  const file = page.waitForEvent('download');
  release();
  await file;
  await downloads.getByText(/5,000 keys, handed to the browser/).waitFor();
});
