import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { passing } from '../../../src/admin/find/local-filter.ts';
import { localFiltersOf } from '../../../src/console/walk/local-filter.ts';
import { queryOf, serviceParametersOf } from '../../../src/console/walk/query.ts';
import { parseListQuery } from '../../../src/service/api/parse-list-query.ts';
import type { CreatorId } from '../../../src/shared/record/identifier.ts';
import { modelPage } from '../../support/changing-roster.ts';
import {
  download,
  listQueries,
  names,
  openMenu,
  openTab,
  openWorklist,
  pickFile,
  press,
  servedConsole,
  settled,
  signedIn,
  signIn,
  visit,
} from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

/** The last 500 have the names of others. */
const keys = Array.from({ length: 2_500 }, (_, number) =>
  numberedKey(number, {
    name: `Key ${number % 2_000}`,
    createdBy: { id: `user_${number % 30}` as CreatorId, type: number % 30 < 9 ? 'service_account' : 'user' },
  }),
);
const served = await servedConsole(suiteScope(), keys);

test('the worklist has what breaks a policy, by policy and by person with one message, and each number opens exactly its keys', async t => {
  const page = await signedIn(t, served, { permissions: ['clipboard-read', 'clipboard-write'] });
  await openWorklist(page, keys.length);
  const old = keys.filter(({ status }, days) => status === 'active' && days >= 365);
  await page.getByRole('link', { name: `${number(old.length)} active and older than 365 days` }).waitFor();
  const links = await linksWithNumbers(page);
  assert(links.length > 25);
  for (const { href, keys: shown } of links) {
    const query = queryOf(new URL(href));
    if (query.breaks) continue; // known to the page alone
    const asked = parseListQuery(String(new URLSearchParams(serviceParametersOf(query) as never)));
    const { data = [] } = modelPage(keys, { ...asked, limit: keys.length }) ?? {};
    assert.equal(passing(data, localFiltersOf(query)).length, shown, href);
  }
  const row = page.getByRole('region', { name: 'By person' }).getByRole('listitem').first();
  const [theirs, id] = (await row.locator('.number-link').innerText()).split(/\s+/);
  await row.getByRole('button', { name: 'Message' }).click();
  await page.getByRole('button', { name: 'Copy message' }).click();
  await page.getByText('Copied', { exact: true }).first().waitFor();
  const message = String(await page.evaluate('navigator.clipboard.readText()'));
  const named = Array.from(message.matchAll(/\), (k\d+)$/gm), ([, each]) => each);
  assert.equal(named.length, Number(theirs));
  assert(old.filter(each => named.includes(each.id)).every(each => each.createdBy.id === id));
  await page.keyboard.press('Escape');
  const file = {
    policies: [
      { name: 'half-a-year', rule: 'max-age', days: 180, level: 'fail' },
      {
        name: 'own-names',
        rule: 'name-pattern',
        patterns: ['Key ?', 'Key 1*'],
        exceptions: [{ key: 'k10', reason: 'x', until: '2020-01-01' }],
      },
    ],
  };
  await pickFile(page, JSON.stringify(file));
  await page.getByText('the exception of k10').waitFor();
  const breaks = (await linksWithNumbers(page)).filter(({ href }) => href.includes('breaks='));
  for (const { href, keys: shown } of [breaks[0], breaks[1], breaks.at(-1)] as typeof breaks) {
    await page.locator(`a[href="${`./${href.slice(served.url.length)}`}"]`).click();
    await settled(page);
    await page.getByText('found in 2,500').waitFor({ state: 'detached' });
    const content = JSON.parse((await download(page, 'Download JSON')).content);
    assert.equal(content.length, shown, href);
    await page.getByRole('link', { name: 'Worklist' }).click();
  }
  const list = await download(page, 'List to revoke (CSV)');
  const rows = list.content.trim().split('\n').slice(1);
  const ids = new Set(rows.map(row => row.split(',')[0]));
  const summary = await page.getByText('break a policy, counted').innerText();
  assert.match(summary, new RegExp(`^${number(ids.size)} of 2,500 keys`));
  assert.equal(rows.length, ids.size, 'a key is there twice');
  assert(rows.some(row => row.endsWith(',fail,half-a-year own-names')));
  await pickFile(page, '{"policies":[{"name":"a","rule":"max-age","dais":3}]}', 'policies.json');
  await page.getByText(/^policies.json: policies\[0\].dais: unknown member/).waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  await press(page, 'Use the default policies');
  await page.getByText('the default ones').waitFor();
});

test('a link to a list of the worklist counts by itself in another session, and takes the files that it needs', async t => {
  const page = await openTab(t);
  await page.goto(`${served.url}roster#breaks=older-than-a-year`);
  await signIn(page, served.secret);
  await page.getByText(/^20 keys, created/).waitFor();
  const old = keys.filter(({ status }, days) => status === 'active' && days >= 365);
  assert.deepEqual(
    await names(page),
    old.slice(0, 20).map(({ name }) => name),
  );
  await visit(page, served, '#breaks=own-names');
  await page.getByText('breaks: needs the policies file that has it').waitFor();
  await page.getByRole('link', { name: 'Worklist' }).click();
  await pickFile(page, '{"policies":[{"name":"own-names","rule":"name-pattern","patterns":["Key 1"]}]}');
  await page.goBack();
  await page.getByText(/^20 keys, created/).waitFor();
  await visit(page, served, '#breaks=*+directory');
  await page.getByText('breaks: needs a directory that tells who left').waitFor();
  await openMenu(page);
  assert.equal(await page.getByRole('button', { name: 'Download CSV' }).count(), 0);
});

test('the active keys are shown by age, by team and by workspace, in bars as long as their numbers, which open their lists', async t => {
  const page = await signedIn(t, served, { at: './' });
  const people = keys
    .slice(0, 30)
    .map(({ createdBy: { id } }, index) => `${id},${['Data', 'data', 'Search'][index % 3]}`);
  await pickFile(page, `id,team\n${people.join('\n')}`);
  await page.getByRole('region', { name: 'Active keys by team' }).waitFor();
  const active = keys.filter(({ status }) => status === 'active');
  const isOfSearch = ({ createdBy: { id } }: (typeof keys)[number]) =>
    Number(id.slice('user_'.length)) % 3 === 2;
  const search = active.filter(isOfSearch);
  for (const [by, expected] of [
    ['age', active.filter(key => keys.indexOf(key) >= 730).length],
    ['team', search.length],
    ['workspace', active.filter(({ workspaceId }) => workspaceId === null).length],
  ] as const) {
    const rows = await page
      .getByRole('region', { name: `Active keys by ${by}` })
      .evaluate<[number, number][], HTMLElement>(section =>
        Array.from(section.querySelectorAll('li'), row => [
          Number.parseInt(row.querySelector('.number')?.textContent.replace(',', '') ?? '', 10),
          row.querySelector('.bar')?.getBoundingClientRect().width ?? 0,
        ]),
      );
    const [longest, width] = rows.reduce((a, b) => (b[0] > a[0] ? b : a));
    for (const [count, length] of rows) assert(Math.abs(length - (width * count) / longest) < 1, by);
    assert(
      rows.some(([count]) => count === expected),
      `${by}: ${rows}`,
    );
  }
  const old = search.filter(key => keys.indexOf(key) >= 365).length;
  await page.getByRole('link', { name: `${old} break a policy` }).click();
  await page.getByRole('button', { name: 'Remove filter: of team Search' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: `${number(search.length)} Search` }).click();
  await page.getByText(/^20 keys, created/).waitFor();
  assert.deepEqual(
    await names(page),
    search.slice(0, 20).map(({ name }) => name),
  );
});

test('a stopped count says so and goes on from there, and another count begins anew', async t => {
  const page = await openTab(t);
  const queries = listQueries(page);
  await page.route('**/api_keys?*after_id=k1999', () => {}); // gets no answer
  await page.goto(served.url);
  await signIn(page, served.secret);
  await page.getByText('2,000 keys').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  await page.getByRole('link', { name: '2,000 API keys' }).waitFor();
  assert.equal(await soFar(page), '" so far"');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('of 2,500 keys').waitFor();
  await page.getByRole('link', { name: '2,500 API keys' }).waitFor();
  assert.equal(await soFar(page), 'none');
  const cursors = queries.map(query => new URLSearchParams(query).get('after_id'));
  assert.deepEqual(cursors, [null, null, 'k999', 'k1999', 'k1999']); // the first one signs in
  await page.getByRole('link', { name: 'Roster' }).click();
  await settled(page);
  assert.equal((await names(page)).length, 20);

  await page.route('**/api_keys?*after_id=k1999', route => route.abort('connectionrefused'));
  await page.getByRole('link', { name: 'Worklist' }).click();
  await press(page, 'Count again');
  await page.getByText(/The service could not be reached. Tries again/).waitFor();
  await page.unrouteAll();
  await page.getByText('of 2,500 keys').waitFor();
});

const number = (keys: number) => keys.toLocaleString('en');

const soFar = (page: Page) =>
  page.evaluate("getComputedStyle(document.querySelector('h2'), '::after').content");

/** The address behind each number, and how many keys it says. */
const linksWithNumbers = (page: Page) =>
  page.evaluate<
    { href: string; keys: number }[]
  >(`[...document.querySelectorAll('.number-link')].map(link => (
    { href: link.href, keys: parseInt(link.textContent.replaceAll(',', '')) }))`);
