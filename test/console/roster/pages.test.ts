import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKeyId } from '../../../src/roster/identifier.ts';
import { names, pagerButton, servedConsole, settled, signedIn, signIn, turn } from '../../support/console.ts';
import { openOverview } from '../../support/overview.ts';
import { importKeys } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey, numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const few = await servedConsole(suite, numberedKeys(21));
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `Key ${from + index}`);
const enabled = async (page: Page, name: 'Previous' | 'Next') =>
  (await pagerButton(page, name).getAttribute('aria-disabled')) !== 'true';

test('an organization without keys shows a message and no next or previous page', async t => {
  const page = await signedIn(t, await servedConsole(t, []));
  await page.getByText('This organization has no API keys yet.').waitFor();
  assert.deepEqual([await enabled(page, 'Previous'), await enabled(page, 'Next')], [false, false]);
});

for (const count of [1, 20]) {
  test(`${count} key(s) fit one page, without a next page`, async t => {
    const page = await signedIn(t, await servedConsole(t, numberedKeys(count)));
    assert.deepEqual(await names(page), numbered(0, count));
    assert.deepEqual([await enabled(page, 'Previous'), await enabled(page, 'Next')], [false, false]);
  });
}

test('21 keys fill two pages, and the way back ends at the plain address of the first page', async t => {
  const page = await signedIn(t, few);
  assert.deepEqual(await names(page), numbered(0, 20));
  await turn(page, 'Next');
  assert.deepEqual(await names(page), ['Key 20']);
  assert.equal(page.url(), `${few.url}?after_id=k19`);
  assert.equal(await enabled(page, 'Next'), false);
  await turn(page, 'Previous');
  await page.waitForURL(few.url);
  await settled(page);
  assert.deepEqual(await names(page), numbered(0, 20));
  assert.equal(await enabled(page, 'Previous'), false);
});

/** A page of 1,000 rows takes Chromium more than a second, so those are for a soak (`test/more-rounds.soak.ts`). */
const [count, limit] = rounds(1) === 1 ? [250, 100] : [2_500, 1_000];

test(`${count} keys can be paged to the end and back, each shown once in either direction`, async t => {
  const page = await signedIn(t, await servedConsole(t, numberedKeys(count)), { at: `?limit=${limit}` });
  const forward = [await names(page)];
  while (await enabled(page, 'Next')) {
    await turn(page, 'Next');
    forward.push(await names(page));
  }
  assert.deepEqual(forward.flat(), numbered(0, count));
  const backward = [await names(page)];
  while (await enabled(page, 'Previous')) {
    await turn(page, 'Previous');
    backward.unshift(await names(page));
  }
  assert.deepEqual(backward, forward);
});

test('the back and forward buttons of the browser move through the pages', async t => {
  const page = await signedIn(t, few, { at: '?limit=5' });
  await turn(page, 'Next');
  await turn(page, 'Next');
  const shows = async (from: number) => {
    await page.getByText(`Key ${from}`, { exact: true }).waitFor();
    await settled(page);
    assert.deepEqual(await names(page), numbered(from, from + 5));
  };
  await shows(10);
  await page.goBack();
  await shows(5);
  await page.goBack();
  await shows(0);
  await page.goForward();
  await shows(5);
});

test('a reload and a shared link show the same page', async t => {
  const page = await signedIn(t, few, { at: '?limit=5&created_by_user_id=user_0' });
  await turn(page, 'Next');
  const shown = await names(page);
  await page.reload();
  await signIn(page, few.secret);
  await settled(page);
  assert.deepEqual(await names(page), shown);
  const other = await signedIn(t, few, { at: page.url().slice(few.url.length) });
  assert.deepEqual(await names(other), shown);
  assert.equal(await other.getByLabel('Creator', { exact: true }).inputValue(), 'user_0');
});

test('a first page reached backwards is filled up to the page size', async t => {
  const page = await signedIn(t, few, { at: '?limit=5&before_id=k3' });
  await page.waitForURL(`${few.url}?limit=5`);
  await settled(page);
  assert.deepEqual(await names(page), numbered(0, 5));
});

test('archiving a key between two pages skips no other key', async t => {
  const own = await servedConsole(t, numberedKeys(9));
  const page = await signedIn(t, own, { at: '?status=active&limit=2' });
  assert.deepEqual(await names(page), ['Key 1', 'Key 2']);
  await own.writer.setStatus(own.organization, ['k2' as ApiKeyId], 'archived');
  await turn(page, 'Next');
  assert.deepEqual(await names(page), ['Key 4', 'Key 5']);
  await turn(page, 'Previous');
  await settled(page);
  assert.deepEqual(await names(page), ['Key 1', 'Key 4']);
});

test('Reload shows a key that was added', async t => {
  const own = await servedConsole(t, numberedKeys(1));
  const page = await signedIn(t, own);
  await importKeys(own.writer, own.organization, [numberedKey(7)]);
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('Key 7', { exact: true }).waitFor();
});

test('the total of an older count has its time, and gives way to the number of keys on the only page', async t => {
  const own = await servedConsole(t, numberedKeys(5));
  const page = await signedIn(t, own);
  await openOverview(page, 5);
  await importKeys(
    own.writer,
    own.organization,
    [5, 6, 7].map(number => numberedKey(number)),
  );
  await page.getByRole('link', { name: 'Roster' }).click();
  await page.getByText(/^8 keys, created [\d-]+( to [\d-]+)?\.$/).waitFor();
  await importKeys(own.writer, own.organization, numberedKeys(30).slice(8));
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText(/^5 keys as of \d{4}-\d\d-\d\d \d\d:\d\d UTC\. This page: 20, created/).waitFor();
});
