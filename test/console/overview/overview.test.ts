import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { passing } from '../../../src/admin/find/local-filter.ts';
import { localFiltersOf } from '../../../src/console/walk/local-filter.ts';
import { queryOf, serviceParametersOf } from '../../../src/console/walk/query.ts';
import { parseListQuery } from '../../../src/service/api/parse-list-query.ts';
import { listQueries, names, servedConsole, settled, signedIn } from '../../support/console.ts';
import { modelPage } from '../../support/model.ts';
import { expectedOverview, openOverview, shownOverview, variedKeys } from '../../support/overview.ts';
import { suiteScope } from '../../support/scope.ts';

const keys = variedKeys(2_500);
const served = await servedConsole(suiteScope(), keys);

test('the overview has the figures of all keys as text, each links to exactly as many keys, and more of them can be shown', async t => {
  const page = await signedIn(t, served);
  await openOverview(page, keys.length);
  assert.deepEqual(await shownOverview(page), expectedOverview(keys, new Date()));
  const links = await linksWithNumbers(page);
  assert(links.length > 60);
  for (const { href, number } of links) {
    const query = queryOf(new URL(href));
    const asked = parseListQuery(String(new URLSearchParams(serviceParametersOf(query) as never)));
    const { data = [] } = modelPage(keys, { ...asked, limit: keys.length }) ?? {};
    assert.equal(passing(data, localFiltersOf(query)).length, number, href);
  }
  const queries = listQueries(page);
  await page.getByRole('link', { name: 'active for 365 days or more' }).click();
  await settled(page);
  const yearAgo = Date.now() - 365 * 86_400_000;
  const oldest = keys.filter(
    ({ status, createdAt }) => status === 'active' && Number(createdAt) / 1_000 < yearAgo,
  );
  assert.deepEqual(
    await names(page),
    oldest.slice(0, 20).map(({ name }) => name),
  );
  queries.length = 0;
  await page.goBack();
  await page.getByText('2,500 keys, as of').waitFor();
  assert.deepEqual(queries, [], 'the keys were counted again');
  const creators = page.getByRole('region', { name: 'Creators with the most active keys' });
  const rows = creators.locator('.bar-row:not(.bar-head)');
  await creators.getByRole('button', { name: 'Show 32 more' }).click();
  assert.equal(await rows.count(), 42);
  await creators.getByRole('button', { name: 'Show only the first 10' }).click();
  assert.equal(await rows.count(), 10);
  const old = async () => (await shownOverview(page)).figures[2];
  await page.getByLabel('Old from').selectOption('730 days');
  assert.equal(await old(), expectedOverview(keys, new Date(), 730).figures[2]);
  await page.getByRole('link', { name: 'Roster' }).click();
  await settled(page);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('Active for 730 days or more').waitFor();
});

test('a stopped count looks partial and goes on from there, and another count begins anew', async t => {
  const page = await signedIn(t, served);
  const queries = listQueries(page);
  await page.route('**/api_keys?*after_id=k1999', () => {}); // gets no answer
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('figures of the newest 2,000 so far').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  const counted = expectedOverview(keys.slice(0, 2_000), new Date());
  assert.deepEqual(await shownOverview(page), { ...counted, oldest: [] });
  await page.getByText('Known once all keys are read.').waitFor();
  assert.deepEqual(await look(page), ['dashed', '" so far"']);
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('2,500 keys, as of').waitFor();
  assert.deepEqual(await shownOverview(page), expectedOverview(keys, new Date()));
  assert.deepEqual(await look(page), ['solid', 'none']);
  const cursors = queries.map(query => new URLSearchParams(query).get('after_id'));
  assert.deepEqual(cursors, [null, 'k999', 'k1999', 'k1999']);

  let answers: 'none' | 'refused' = 'refused';
  await page.route('**/api_keys?*after_id=k1999', async route => {
    if (answers === 'refused') await route.abort('connectionrefused');
  });
  await page.getByRole('button', { name: 'Count again' }).click();
  await page.getByText(/The service could not be reached. Tries again/).waitFor();
  answers = 'none';
  assert.deepEqual((await shownOverview(page)).figures, counted.figures);
  await page.unrouteAll();
  await page.getByText('2,500 keys, as of').waitFor();
});

/** Of the first figure: its border, and what is beside its number. */
function look(page: Page): Promise<unknown> {
  return page.evaluate(`[
    getComputedStyle(document.querySelector('.figure')).borderTopStyle,
    getComputedStyle(document.querySelector('.figure-number'), '::after').content,
  ]`);
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
