import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKeyId } from '../../../src/shared/record/identifier.ts';
import {
  holdBack,
  leads,
  listQueries,
  names,
  press,
  servedConsole,
  settled,
  signedIn,
  signInAgain,
  turn,
  visit,
} from '../../support/console.ts';
import { importKeys } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey, numberedKeys } from '../../support/seeded-service.ts';

/** A page of 1,000 rows takes Chromium more than a second, so those are for a soak (`test/more-rounds.soak.ts`). */
const [COUNT, LIMIT] = rounds(1) === 1 ? [250, 100] : [2_500, 1_000];
const served = await servedConsole(suiteScope(), numberedKeys(COUNT));
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `Key ${from + index}`);

test('keys are paged to the end and back, each shown once, and back, forward, a reload and a link show the same page', async t => {
  const page = await signedIn(t, served, { at: `?limit=${LIMIT}` });
  const forward = [await names(page)];
  while (await leads(page, 'Next')) {
    await turn(page, 'Next');
    forward.push(await names(page));
  }
  assert.deepEqual(forward.flat(), numbered(0, COUNT));
  const backward = [await names(page)];
  while (await leads(page, 'Previous')) {
    await turn(page, 'Previous');
    backward.unshift(await names(page));
  }
  assert.deepEqual(backward, forward);
  assert.equal(
    page.url(),
    `${served.url}roster?limit=${LIMIT}`,
    'the address of the first page has a cursor',
  );
  await visit(page, served, '?limit=5&created_by_user_id=user_0');
  const shows = async (...expected: string[]) => {
    await page.getByText(String(expected[0]), { exact: true }).waitFor();
    await settled(page);
    assert.deepEqual(await names(page), expected);
  };
  const [first, second] = [
    [0, 2, 4, 6, 8],
    [10, 12, 14, 16, 18],
  ].map(page => page.map(key => `Key ${key}`));
  await turn(page, 'Next');
  await shows(...(second ?? []));
  await page.goBack();
  await shows(...(first ?? []));
  await page.goForward();
  await shows(...(second ?? []));
  assert.equal(page.url(), `${served.url}roster?created_by_user_id=user_0&limit=5&after_id=k8`);
  await signInAgain(page, served);
  await shows(...(second ?? []));
  assert.equal(await page.getByLabel('Creator', { exact: true }).inputValue(), 'user_0');
  await visit(page, served, '?limit=5&before_id=k3');
  await page.waitForURL(`${served.url}roster?limit=5`); // there are only three before, so the first page is filled up
  await shows(...numbered(0, 5));
});

test('a list says how many keys it has, and pages go on exactly while keys are added and archived', async t => {
  const own = await servedConsole(t, []);
  const page = await signedIn(t, own);
  const reload = () => press(page, 'Reload');
  const add = (from: number, to: number) =>
    importKeys(own.writer, own.organization, numberedKeys(to).slice(from));
  await page.getByText('There are no API keys yet.').waitFor();
  assert.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0, 'an empty list has a pager');
  await add(0, 1);
  await reload();
  await page.getByText('1 key', { exact: true }).waitFor();
  await add(1, 20);
  await reload();
  await page.getByText('20 keys', { exact: true }).waitFor();
  await add(20, 21);
  await reload();
  await page.getByText(/^20 keys, created [\d-]+ to [\d-]+$/).waitFor();
  await visit(page, own, '?status=active&limit=2');
  assert.deepEqual(await names(page), ['Key 1', 'Key 2']);
  await own.writer.setStatus(own.organization, ['k2' as ApiKeyId], 'archived');
  await turn(page, 'Next');
  assert.deepEqual(await names(page), ['Key 4', 'Key 5']);
  await turn(page, 'Previous');
  assert.deepEqual(await names(page), ['Key 1', 'Key 4']);
});

test('what the console filters is shown while the rest is read, and reading is stopped and goes on', async t => {
  const many = Array.from({ length: 2_300 }, (_, number) => numberedKey(number));
  const own = await servedConsole(t, many);
  const page = await signedIn(t, own);
  const queries = listQueries(page);
  const release = await holdBack(page, /after_id/);
  await page.evaluate("location.hash = 'name=Key 33'");
  await page.getByText('1 found in 1,000 keys read').waitFor();
  assert.deepEqual(await names(page), ['Key 33']);
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  release();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('1 key', { exact: true }).waitFor();
  assert.equal(queries.length, 4, 'of three pages one was asked for again');
});
