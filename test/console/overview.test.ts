import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { names, servedConsole, settled, signedIn } from '../support/console.ts';
import { modelPage } from '../support/model.ts';
import { suiteScope } from '../support/scope.ts';
import { numberedKey, numberedKeys } from '../support/seeded-service.ts';

const suite = suiteScope();
const keys = [
  ...numberedKeys(4_998),
  numberedKey(4_998, { name: '=1+1' }),
  numberedKey(4_999, { name: 'a "b", c\n' }),
];
const served = await servedConsole(suite, keys);

async function openOverview(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('5,000 API keys.').waitFor();
}

/** The count for each label, from the table under a chart. */
async function numbers(page: Page, title: string): Promise<Record<string, number>> {
  const card = page.getByRole('region', { name: title });
  await card.getByText('Numbers').click();
  const rows = await card.locator('tbody tr').all();
  const cells = await Promise.all(rows.map(row => row.locator('td').allInnerTexts()));
  return Object.fromEntries(cells.map(([label, count]) => [label, Number(count?.replaceAll(',', ''))]));
}

test('the overview counts every key of the roster by status, age, month, workspace and creator', async t => {
  const page = await signedIn(t, served);
  await openOverview(page);
  const counted = (pick: (key: (typeof keys)[number]) => string) => {
    const counts: Record<string, number> = {};
    for (const key of keys) counts[pick(key)] = (counts[pick(key)] ?? 0) + 1;
    return counts;
  };
  assert.deepEqual(await numbers(page, 'By status'), { ...counted(key => key.status), archived: 0 });
  assert.deepEqual(
    await numbers(page, 'Top 10 workspaces'),
    counted(key => key.workspaceId ?? 'default'),
  );
  assert.deepEqual(
    await numbers(page, 'Top 10 creators'),
    counted(key => key.createdBy.id),
  );
  assert.deepEqual(await numbers(page, 'By age'), {
    'under 30 days': 30,
    '30 to 89 days': 60,
    '90 to 179 days': 90,
    '180 to 364 days': 185,
    '365 to 729 days': 365,
    '730 days and more': keys.length - 730,
  });
  const months = await numbers(page, 'Created per month');
  const { earlier, ...shown } = months;
  assert.equal(Object.keys(shown).length, 36);
  assert.equal(
    Object.values(months).reduce((sum, count) => sum + count, 0),
    keys.length,
  );
  const byMonth = counted(key => new Date(Number(key.createdAt / 1000n)).toISOString().slice(0, 7));
  for (const [month, count] of Object.entries(shown)) assert.equal(count, byMonth[month], month);
});

test('the charting library is loaded only when the overview opens', async t => {
  const page = await signedIn(t, served);
  const scripts = () =>
    page.evaluate(
      "performance.getEntriesByType('resource').map(entry => entry.name).filter(name => name.endsWith('.js'))",
    ) as Promise<string[]>;
  assert.equal((await scripts()).length, 1);
  await openOverview(page);
  await page.locator('canvas[style]').first().waitFor();
  assert.equal((await scripts()).length, 2);
});

test('the overview shows its numbers when the charting library fails to load', async t => {
  const page = await signedIn(t, served);
  await page.route('**/bar-chart*', route =>
    route.fulfill({ status: 200, contentType: 'text/javascript', body: 'throw new Error()' }),
  );
  await openOverview(page);
  await page.getByText('The chart could not be loaded').first().waitFor();
  await page.getByRole('link', { name: 'inactive' }).waitFor();
});

test('a click on a bar sets the filter, and the back button shows the charts without new requests', async t => {
  const page = await signedIn(t, served);
  await openOverview(page);
  const canvas = page.getByRole('region', { name: 'By status' }).locator('canvas');
  await canvas.and(page.locator('[style]')).waitFor(); // drawn
  const { width, height } = (await canvas.boundingBox()) ?? { width: 0, height: 0 };
  await canvas.click({ position: { x: width * 0.4, y: height * 0.15 } }); // the first of three bars, the longest
  await page.waitForURL(`${served.url}?status=active`);
  await settled(page);
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  await page.goBack();
  await page.getByText('5,000 API keys.').waitFor();
  assert.equal(requests, 0);
});

test('the numbers under a chart set the filter by keyboard', async t => {
  const page = await signedIn(t, served);
  await openOverview(page);
  const card = page.getByRole('region', { name: 'Top 10 workspaces' });
  await card.getByText('Numbers').focus();
  await page.keyboard.press('Enter');
  assert.equal(await card.getByRole('link', { name: 'default' }).count(), 0); // no filter selects it
  await card.getByRole('link', { name: 'wrkspc_2' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`${served.url}?workspace_id=wrkspc_2`);
});

test('an age band links to the roster, starting at the newest key of the band', async t => {
  const page = await signedIn(t, served);
  await openOverview(page);
  const card = page.getByRole('region', { name: 'By age' });
  await card.getByText('Numbers').click();
  await card.getByRole('link', { name: '30 to 89 days' }).click();
  await page.waitForURL(/after_id=k29$/);
  await settled(page);
  assert.equal((await names(page))[0], 'Key 30');
});

test('a count can be stopped, and the charts then show the keys read so far and say so', async t => {
  const page = await signedIn(t, served);
  let pages = 0;
  await page.route('**/api_keys?*', async route => {
    pages += 1;
    if (pages < 3) await route.continue(); // the third request gets no answer
  });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('2,000 keys').waitFor();
  await page.getByRole('progressbar').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Not all of them: the newest 2,000 API keys.').waitFor();
  assert.equal(await page.getByRole('progressbar').count(), 0);
});

test('the overview of an organization without keys has no charts', async t => {
  const page = await signedIn(t, await servedConsole(t, []), { at: 'overview' });
  await page.getByText('This organization has no API keys yet.').waitFor();
});

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
