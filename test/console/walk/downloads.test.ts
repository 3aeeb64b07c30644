import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelPage } from '../../support/changing-roster.ts';
import { download, holdBack, press, servedConsole, signedIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const keys = numberedKeys(1_500);
const served = await servedConsole(suiteScope(), keys);
const records = modelPage(keys, { limit: keys.length, cursor: null, filter: {} })?.data;
/** With the organization and the day. */
const fileName = (format: string) =>
  new RegExp(`^api-keys-${served.organization}-\\d{4}-\\d\\d-\\d\\d\\.${format}$`);

test('a file has every record as the service lists it, and is named by its organization and the day', async t => {
  const page = await signedIn(t, served);
  const json = await download(page, 'Download JSON');
  assert.match(json.name, fileName('json'));
  assert.deepEqual(JSON.parse(json.content), records);
  const csv = await download(page, 'Download CSV');
  assert.match(csv.name, fileName('csv'));
  const ids = csv.content.split('\n').map(line => line.split(',')[0]);
  assert.deepEqual(
    ids.slice(1, -1),
    records?.map(({ id }) => id),
  );
});

test('a download goes on when its view is left, can be stopped and forgotten, and two of one name are two', async t => {
  const page = await signedIn(t, served);
  const release = await holdBack(page, /after_id/);
  for (let count = 0; count < 2; count++) await press(page, 'Download JSON');
  await page.getByRole('link', { name: 'Find' }).click();
  await page.getByRole('heading', { name: 'Find a key' }).waitFor();
  const downloads = page.getByRole('region', { name: 'Downloads' });
  const running = downloads.getByText(/Reading for api-keys-.*json/);
  const discard = downloads.getByRole('button', { name: 'Discard what was read' });
  assert.equal(await running.count(), 2);
  // Stop keeps what was read; only then there is the button that forgets it.
  assert.equal(await discard.count(), 0);
  await downloads.getByRole('button', { name: 'Stop' }).first().click();
  await discard.waitFor();
  await downloads.getByRole('button', { name: 'Continue' }).click();
  await discard.waitFor({ state: 'detached' });
  await downloads.getByRole('button', { name: 'Stop' }).first().click();
  await discard.click();
  assert.equal(await running.count(), 1);
  const file = page.waitForEvent('download');
  release();
  await file;
  await downloads.getByText(/1,500 keys, handed to the browser/).waitFor();
});

test('the notice of a finished download goes when another begins, and those that are under way stay', async t => {
  const page = await signedIn(t, served);
  const downloads = page.getByRole('region', { name: 'Downloads' });
  const finished = downloads.getByText('handed to the browser');
  for (let count = 0; count < 2; count++) {
    await download(page, 'Download CSV');
    await finished.waitFor();
  }
  await holdBack(page, /after_id/);
  for (let count = 0; count < 2; count++) await press(page, 'Download JSON');
  assert.equal(await downloads.getByText(/Reading for/).count(), 2);
  assert.equal(await finished.count(), 0);
});
