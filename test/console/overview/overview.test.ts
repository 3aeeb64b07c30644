import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { localFilterOf } from '../../../src/console/walk/local-filter.ts';
import { queryOf, serviceParametersOf } from '../../../src/console/walk/query.ts';
import { formatTimestamp } from '../../../src/roster/timestamp.ts';
import { listQueries, names, servedConsole, settled, signedIn } from '../../support/console.ts';
import { modelPage } from '../../support/model.ts';
import { expectedOverview, openOverview, shownOverview, variedKeys } from '../../support/overview.ts';
import { importKeys, now } from '../../support/roster.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const keys = variedKeys(2_500);
const served = await servedConsole(suiteScope(), keys);
const records = modelPage(keys, { limit: keys.length, cursor: null, filter: {} })?.data ?? [];

test('the overview has the figures of all keys as text, each links to exactly as many keys, and more of them can be shown', async t => {
  const page = await signedIn(t, served);
  await openOverview(page, keys.length);
  assert.deepEqual(await shownOverview(page), expectedOverview(keys, new Date()));
  const links = await linksWithNumbers(page);
  assert(links.length > 100);
  for (const { href, number } of links) {
    const query = queryOf(new URL(href));
    const { limit: _, ...filters } = serviceParametersOf(query);
    const local = localFilterOf(query);
    const shown = records.filter(record => local.matches(record) && hasAll(record, filters));
    assert.equal(shown.length, number, href);
  }
  const queries = listQueries(page);
  await page.getByRole('link', { name: 'active and older than 365 days' }).click();
  await settled(page);
  const yearAgo = Date.now() - 365 * 86_400_000;
  const oldest = keys.filter(
    ({ status, createdAt }) => status === 'active' && Number(createdAt) / 1_000 < yearAgo,
  );
  assert.deepEqual(
    await names(page),
    oldest.slice(0, 20).map(({ name }) => name),
  );
  await page.getByText(`${oldest.length.toLocaleString('en')} keys as of`).waitFor();
  queries.length = 0;
  await page.goBack();
  await page.getByText('2,500 keys, as of').waitFor();
  assert.deepEqual(queries, [], 'the keys were counted again');
  await openOverview(page, keys.length);
  const creators = page.getByRole('region', { name: 'Creators with the most active keys' });
  const rows = creators.locator('.bar-row:not(.bar-head)');
  await creators.getByText('And 32 more.').waitFor();
  await creators.getByRole('button', { name: 'Show 32 more' }).click();
  assert.equal(await rows.count(), 42);
  await creators.getByRole('button', { name: 'Show only the first 10' }).click();
  assert.equal(await rows.count(), 10);
  const months = page.getByRole('region', { name: 'Created per month' });
  await months.getByText('The last 36 months, UTC.').waitFor();
  await months.getByText(`before ${monthsAgo(35)}`).waitFor();
  await months.getByRole('button', { name: 'Show 36 months more' }).click();
  await months.getByText('The last 72 months, UTC.').waitFor();
  const month = monthsAgo(36);
  const expected = keys.filter(({ createdAt }) => formatTimestamp(createdAt).startsWith(month)).length;
  const shown = (await shownOverview(page)).charts['Created per month'] ?? [];
  assert.deepEqual([shown.length, shown.find(([label]) => label === month)?.[1]], [72, expected]);

  const old = async () => (await shownOverview(page)).figures[2];
  const olderThan = (days: number) => expectedOverview(keys, new Date(), days).figures[2];
  await page.getByLabel('Older than').selectOption('2 years');
  assert.equal(await old(), olderThan(730));
  await page.getByLabel('Older than').selectOption('Other…');
  const own = page.getByRole('spinbutton', { name: 'days' });
  await own.fill('1000');
  assert.equal(await old(), olderThan(1_000));
  for (const wrong of ['0', '100000']) {
    await own.fill(wrong); // no age: the figure stays as it is
    await page.getByText('Enter a whole number from 1 to 99,999. Counted are still 1,000 days.').waitFor();
    assert.equal(await own.getAttribute('aria-invalid'), 'true');
  }
  assert.equal(await old(), olderThan(1_000));
  await own.fill('1000');
  await page.getByRole('link', { name: 'Roster' }).click();
  await settled(page);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('Active and older than 1000 days').waitFor();
  assert.equal(await own.inputValue(), '1000');
});

test('a stopped count looks partial and goes on from there, and the figures of a complete one stay until another one is', async t => {
  const own = await servedConsole(t, keys);
  const page = await signedIn(t, own);
  const queries = listQueries(page);
  await page.route('**/api_keys?*after_id=k1999', () => {}); // gets no answer
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
  const oldest = page.getByRole('region', { name: 'Oldest active keys' });
  assert.match(await oldest.innerText(), /– not reached yet$/);
  const old = page.locator('.figure').nth(2);
  assert.match(await old.innerText(), /^Active and older than 365 days\n\d+ so far\n/);
  await page.getByLabel('Older than').selectOption('Other…');
  await page.getByRole('spinbutton', { name: 'days' }).fill('1400'); // the newest 2,000 are up to 1,200 days old
  assert.match(await old.innerText(), /^Active and older than 1400 days\n– not reached yet\n/);
  assert.equal(await borderStyle(page), 'dashed');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('2,500 keys, as of').waitFor();
  await page.getByLabel('Older than').selectOption('1 year');
  assert.deepEqual(await shownOverview(page), expectedOverview(keys, new Date()));
  assert.equal(await borderStyle(page), 'solid');
  const cursors = queries.map(query => new URLSearchParams(query).get('after_id'));
  assert.deepEqual(cursors, [null, 'k999', 'k1999', 'k1999']);

  const complete = expectedOverview(keys, new Date());
  const added = numberedKey(9_999, { createdAt: now() });
  assert.deepEqual((await importKeys(own.writer, own.organization, [added])).refusals, []);
  let answers: 'none' | 'refused' = 'refused';
  await page.route('**/api_keys?*after_id=k1998', async route => {
    if (answers === 'refused') await route.abort('connectionrefused');
  });
  await page.getByRole('button', { name: 'Count again' }).click();
  await page.getByText(/The service could not be reached. Tries again/).waitFor();
  answers = 'none';
  assert.equal(await page.getByRole('progressbar').getAttribute('max'), '2500');
  const progress = page.locator('.notice', { hasText: 'Counting again: 2,000 keys' });
  await progress.getByText(/Until it is complete, the figures are those of \d{4}-/).waitFor();
  assert.deepEqual(await shownOverview(page), complete);
  assert.equal(await borderStyle(page), 'solid');
  await page.getByRole('button', { name: 'Stop' }).click();
  await progress.getByText('Stopped.').waitFor();
  assert.deepEqual(await shownOverview(page), complete);
  await page.getByText('2,500 keys, as of').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('2,501 keys, as of').waitFor();
  assert.deepEqual(
    (await shownOverview(page)).figures,
    expectedOverview([added, ...keys], new Date()).figures,
  );
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
