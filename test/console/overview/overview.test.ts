import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { localFilterOf } from '../../../src/console/walk/local-filter.ts';
import { queryOf, serviceParametersOf } from '../../../src/console/walk/query.ts';
import type { CreatorId } from '../../../src/roster/identifier.ts';
import { formatTimestamp } from '../../../src/roster/timestamp.ts';
import { names, servedConsole, settled, signedIn } from '../../support/console.ts';
import { modelPage } from '../../support/model.ts';
import { expectedOverview, openOverview, shownOverview, variedKeys } from '../../support/overview.ts';
import { importKeys, now } from '../../support/roster.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const keys = variedKeys(2_500);
const served = await servedConsole(suiteScope(), keys);
const records = modelPage(keys, { limit: keys.length, cursor: null, filter: {} })?.data ?? [];

test('the overview shows the figures of all keys, as text beside the bars', async t => {
  const page = await signedIn(t, served);
  await openOverview(page, keys.length);
  assert.deepEqual(await shownOverview(page), expectedOverview(keys, new Date()));
  for (const note of ['And 3 more.', 'The last 36 months, UTC.'])
    await page.getByText(note).first().waitFor();
});

test('every number of the overview links to exactly as many keys', async t => {
  const page = await signedIn(t, served);
  await openOverview(page, keys.length);
  const links = await linksWithNumbers(page);
  assert(links.length > 100);
  for (const { href, number } of links) {
    const query = queryOf(new URL(href));
    const { limit: _, ...filters } = serviceParametersOf(query);
    const local = localFilterOf(query);
    const shown = records.filter(record => local.matches(record) && hasAll(record, filters));
    assert.equal(shown.length, number, href);
  }
});

test('a figure opens its keys, whose total is known, and the back button shows the overview again without new requests', async t => {
  const page = await signedIn(t, served);
  await openOverview(page, keys.length);
  await page.getByRole('link', { name: 'active and older than 365 days' }).click();
  await settled(page);
  const oldest = keys.filter(({ status, createdAt }) => status === 'active' && createdAt < yearAgo());
  assert.deepEqual(
    await names(page),
    oldest.slice(0, 20).map(({ name }) => name),
  );
  await page.getByText(`${oldest.length.toLocaleString('en')} keys as of`).waitFor();
  const requests: string[] = [];
  page.on('request', request => requests.push(request.url()));
  await page.goBack();
  await page.getByText('2,500 keys, as of').waitFor();
  assert.deepEqual(requests, []);
});

test('the number beside a bar opens its keys, whose total is known', async t => {
  const page = await signedIn(t, served);
  for (const label of ['365 to 729 days', 'Default workspace', 'Shared 0', monthsAgo(3)]) {
    await openOverview(page, keys.length);
    const row = page.locator('.bar-row', { has: page.getByRole('link', { name: label, exact: true }) });
    const [count] = (await row.locator('.number').first().innerText()).split(/\s/);
    const box = await row.locator('.number').first().boundingBox();
    assert(box);
    await row.click({ position: await inRow(row, box) });
    await settled(page);
    await page.getByText(new RegExp(`^${count} keys( as of|, created) `)).waitFor();
  }
});

test('groups and months that are left out can be shown', async t => {
  const page = await signedIn(t, served);
  await openOverview(page, keys.length);
  const creators = page.getByRole('region', { name: 'Creators with the most active keys' });
  const rows = creators.locator('.bar-row:not(.bar-head)');
  await creators.getByText('And 32 more.').waitFor();
  await creators.getByRole('button', { name: 'Show 32 more' }).click();
  assert.equal(await rows.count(), 42);
  await creators.getByRole('button', { name: 'Show only the first 10' }).click();
  assert.equal(await rows.count(), 10);
  const months = page.getByRole('region', { name: 'Created per month' });
  await months.getByText(`before ${monthsAgo(35)}`).waitFor();
  await months.getByRole('button', { name: 'Show 36 months more' }).click();
  await months.getByText('The last 72 months, UTC.').waitFor();
  const month = monthsAgo(36);
  const expected = keys.filter(({ createdAt }) => formatTimestamp(createdAt).startsWith(month)).length;
  const shown = (await shownOverview(page)).charts['Created per month'] ?? [];
  assert.deepEqual([shown.length, shown.find(([label]) => label === month)?.[1]], [72, expected]);
  await months.getByRole('button', { name: 'Show only the last 36 months' }).waitFor();
});

test('the age from which a key counts as old can be chosen, and stays for the session', async t => {
  const page = await signedIn(t, served);
  await openOverview(page, keys.length);
  const old = async () => (await shownOverview(page)).figures[2];
  const expected = (days: number) => expectedOverview(keys, new Date(), days).figures[2];
  await page.getByLabel('Older than').selectOption('2 years');
  assert.equal(await old(), expected(730));
  await page.getByLabel('Older than').selectOption('Other…');
  const own = page.getByRole('spinbutton', { name: 'days' });
  await own.fill('1000');
  assert.equal(await old(), expected(1_000));
  for (const wrong of ['-1', '0', '1.5', '100000', '']) {
    await own.fill(wrong); // no age: the figure stays as it is
    await page.getByText('Enter a whole number from 1 to 99,999. Counted are still 1,000 days.').waitFor();
    assert.equal(await own.getAttribute('aria-invalid'), 'true');
    assert.equal(await old(), expected(1_000));
    await own.fill('1000');
    assert.equal(await own.getAttribute('aria-invalid'), 'false');
    await page.getByText('Enter a whole number').waitFor({ state: 'detached' });
  }
  await page.getByRole('link', { name: 'Roster' }).click();
  await settled(page);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('Active and older than 1000 days').waitFor();
  assert.equal(await own.inputValue(), '1000');
});

test('what was counted when a count was stopped looks and reads partial, and the count goes on from there', async t => {
  const page = await signedIn(t, served);
  const cursors: (string | null)[] = [];
  let held = true;
  await page.route('**/api_keys?*', async route => {
    const cursor = new URL(route.request().url()).searchParams.get('after_id');
    cursors.push(cursor);
    if (held && cursor === 'k1999') return; // gets no answer
    await route.continue();
  });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('figures of the newest 2,000 so far').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  const counted = await shownOverview(page);
  const expected = expectedOverview(keys.slice(0, 2_000), new Date());
  assert.deepEqual(counted.figures, expected.figures);
  assert.deepEqual(counted.charts, {
    ...expected.charts,
    'By age': expected.charts['By age']?.map(lastIsSoFar),
    'Created per month': expected.charts['Created per month']?.map(firstIsSoFar),
  });
  assert.deepEqual(counted.oldest, []);
  assert.equal(await borderStyle(page), 'dashed');
  held = false;
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('2,500 keys, as of').waitFor();
  assert.deepEqual(await shownOverview(page), expectedOverview(keys, new Date()));
  assert.equal(await borderStyle(page), 'solid');
  assert.deepEqual(cursors, [null, 'k999', 'k1999', 'k1999']);
});

test('ages that a count has not reached have no number, and what is partly counted says so', async t => {
  const page = await signedIn(t, served);
  await page.route('**/api_keys?*after_id=k999', () => {}); // gets no answer
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('figures of the newest 1,000 so far').waitFor(); // up to 599 days old
  const old = page.locator('.figure').nth(2);
  assert.match(await old.innerText(), /^Active and older than 365 days\n\d+ so far\n/);
  await page.getByLabel('Older than').selectOption('2 years');
  assert.match(await old.innerText(), /^Active and older than 730 days\n– not reached yet\n/);
  const { charts } = await shownOverview(page);
  const labels = (title: string) => charts[title]?.map(([label]) => label);
  assert.deepEqual(labels('By age')?.slice(-3), [
    '180 to 364 days',
    '365 to 729 days so far',
    '730 days and more',
  ]);
  assert.deepEqual(charts['By age']?.at(-1), ['730 days and more', Number.NaN]);
  const months = charts['Created per month'] ?? [];
  const reached = months.findIndex(([label]) => label.endsWith('so far'));
  assert(reached > 12);
  assert(months.every(([, count], index) => Number.isNaN(count) === index < reached));
  const oldest = page.getByRole('region', { name: 'Oldest active keys' });
  assert.match(await oldest.innerText(), /– not reached yet$/);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  assert.match(await old.innerText(), /\n– not reached yet\n/);
});

test('a count tells why it waits, goes on when the service is back, and knows how much is left the next time', async t => {
  const page = await signedIn(t, served);
  await openOverview(page, keys.length);
  let isDown = true;
  await page.route('**/api_keys?*after_id*', async route => {
    if (isDown) await route.abort('connectionrefused');
    else await route.continue();
  });
  await page.getByRole('button', { name: 'Count again' }).click();
  await page.getByText(/The service could not be reached. Tries again/).waitFor();
  assert.equal(await page.getByRole('progressbar').getAttribute('max'), '2500');
  isDown = false;
  await page.getByText('Counting again').waitFor({ state: 'detached' });
  await page.getByText('2,500 keys, as of').waitFor();
  assert.deepEqual(await shownOverview(page), expectedOverview(keys, new Date()));
});

test('the figures of a complete count stay until another one is complete, also when that one is stopped', async t => {
  const own = await servedConsole(t, keys);
  const page = await signedIn(t, own);
  await openOverview(page, keys.length);
  const expected = expectedOverview(keys, new Date());
  const added = numberedKey(9_999, { createdAt: now() });
  assert.deepEqual((await importKeys(own.writer, own.organization, [added])).refusals, []);
  let held = true;
  await page.route('**/api_keys?*after_id=k1998', async route => {
    if (!held) await route.continue();
  });
  await page.getByRole('button', { name: 'Count again' }).click();
  const progress = page.locator('.notice', { hasText: 'Counting again: 2,000 keys' });
  await progress.getByText(/Until it is complete, the figures are those of \d{4}-/).waitFor();
  assert.deepEqual(await shownOverview(page), expected);
  assert.equal(await borderStyle(page), 'solid');
  await page.getByRole('button', { name: 'Stop' }).click();
  await progress.getByText('Stopped.').waitFor();
  assert.deepEqual(await shownOverview(page), expected);
  await page.getByText('2,500 keys, as of').waitFor();
  held = false;
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('2,501 keys, as of').waitFor();
  assert.deepEqual(
    (await shownOverview(page)).figures,
    expectedOverview([added, ...keys], new Date()).figures,
  );
});

test('one key is one key, and an organization without keys has no charts', async t => {
  const one = await signedIn(t, await servedConsole(t, variedKeys(1)), { at: 'overview' });
  await one.getByText('1 key, as of').waitFor();
  const none = await signedIn(t, await servedConsole(t, []), { at: 'overview' });
  await none.getByText('This organization has no API keys yet.').waitFor();
});

type Row = readonly [label: string, ...numbers: (number | undefined)[]];
const soFar = ([label, ...numbers]: Row) => [`${label} so far`, ...numbers];
const firstIsSoFar = (row: Row, index: number) => (index === 0 ? soFar(row) : row);
const lastIsSoFar = (row: Row, index: number, rows: readonly Row[]) =>
  index === rows.length - 1 ? soFar(row) : row;

/** Such as `2026-11`. */
function monthsAgo(count: number): string {
  const today = new Date();
  return new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - count)).toISOString().slice(0, 7);
}

/** The middle of a part of a row, from the row's corner. */
async function inRow(row: Locator, part: { x: number; y: number; width: number; height: number }) {
  const { x = 0, y = 0 } = (await row.boundingBox()) ?? {};
  return { x: part.x + part.width / 2 - x, y: part.y + part.height / 2 - y };
}

const yearAgo = () => BigInt(Date.now() - 365 * 24 * 3_600_000) * 1_000n;

function borderStyle(page: Page): Promise<unknown> {
  return page.evaluate("getComputedStyle(document.querySelector('.figure')).borderTopStyle");
}

/** The address behind each number, and the number. */
async function linksWithNumbers(page: Page): Promise<{ href: string; number: number }[]> {
  return page.evaluate(`(() => {
    const number = element => parseInt(element.textContent.replaceAll(',', ''));
    const figures = [...document.querySelectorAll('.figure-link')];
    const active = [...document.querySelectorAll('.bar-row .number a')];
    const rows = [...document.querySelectorAll('.bar-row:has(.bar-label a)')];
    return [
      ...figures.map(link => ({ href: link.href, number: number(link.querySelector('.figure-number')) })),
      ...active.map(link => ({ href: link.href, number: number(link) })),
      ...rows.map(row => ({
        href: row.querySelector('.bar-label a').href,
        number: number(row.querySelector('.number')),
      })),
    ];
  })()`);
}

/** The model of the service's filters. */
function hasAll(
  { status, workspace_id, created_by }: (typeof records)[number],
  filters: ReturnType<typeof serviceParametersOf>,
): boolean {
  return (
    (filters.status ?? status) === status &&
    (filters.workspace_id ?? workspace_id) === workspace_id &&
    (filters.created_by_user_id ?? created_by.id) === created_by.id
  );
}

test('keys without a name and with a name of a space can be opened, each by its own row', async t => {
  const blank = ['', '', ' ', ' ', ' '].map((name, number) => numberedKey(number, { name }));
  const page = await signedIn(t, await servedConsole(t, blank));
  for (const [label, count] of [
    ['no name', 2],
    ['1 space', 3],
  ] as const) {
    await openOverview(page, blank.length);
    await page.locator('.charts .bar-label').getByRole('link', { name: label }).click();
    await settled(page);
    assert.equal(await page.locator('.open').count(), count, label);
  }
});

test('a user and a service account of one ID are told apart by their types', async t => {
  const creators = (['user', 'service_account'] as const).map(type => ({ id: 'same' as CreatorId, type }));
  const shared = creators.map((createdBy, number) => numberedKey(number, { createdBy }));
  const other = numberedKey(2, { createdBy: { id: 'other' as CreatorId, type: 'user' } });
  const page = await signedIn(t, await servedConsole(t, [...shared, other]));
  await openOverview(page, 3);
  const { charts } = await shownOverview(page);
  const labels = charts['Creators with the most active keys']?.map(([label]) => label).sort();
  assert.deepEqual(labels, ['other', 'same\u00a0service account', 'same\u00a0user']);
});
