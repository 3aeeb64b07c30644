import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKey } from '../../../src/roster/api-key.ts';
import type { CreatorId } from '../../../src/roster/identifier.ts';
import { pagerButton, servedConsole, settled, signedIn, turn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

/** Groups of five have the same time. Their IDs are as long as each other, so that they sort as their numbers do. */
const keys = Array.from({ length: 2_300 }, (_, number) =>
  numberedKey(number, {
    id: `k${String(9_999 - number)}` as ApiKey['id'],
    createdAt: numberedKey(Math.floor(number / 5)).createdAt,
    ...(number % 11 === 0 && { createdBy: { id: 'svac_1' as CreatorId, type: 'service_account' as const } }),
  }),
);
for (const [index, key] of keys.entries())
  Object.assign(key, { createdAt: keys[index - (index % 5)]?.createdAt });
const served = await servedConsole(suiteScope(), keys);
const dayText = ({ createdAt }: ApiKey) => new Date(Number(createdAt) / 1_000).toISOString().slice(0, 10);
const dayOf = (number: number) => dayText(keys[number] as ApiKey);
const ids = (page: Page) =>
  page.evaluate<string[]>("[...document.querySelectorAll('.open')].map(({ id }) => id.slice('key-'.length))");
const has = async (page: Page, button: 'Previous' | 'Next') =>
  (await pagerButton(page, button).getAttribute('aria-disabled')) !== 'true';

const before = dayOf(100);
const from = dayOf(1_900);
for (const [address, matches] of [
  [
    `?limit=50#creator_type=service_account&created_before=${before}&created_from=${from}`,
    (key: ApiKey) =>
      key.createdBy.type === 'service_account' && dayText(key) < before && dayText(key) >= from,
  ],
  [
    `?status=inactive&limit=60#default_workspace=true&created_before=${before}`,
    (key: ApiKey) => key.status === 'inactive' && key.workspaceId === null && dayText(key) < before,
  ],
  [
    `?created_by_user_id=user_1&limit=20#created_from=${dayOf(150)}&name=Key+33`,
    (key: ApiKey) => key.createdBy.id === 'user_1' && key.name === 'Key 33',
  ],
] as const) {
  test(`Next to the end and Previous back show exactly the keys of ${address}`, async t => {
    const page = await signedIn(t, served, { at: address });
    const forward = [await ids(page)];
    while (await has(page, 'Next')) {
      await turn(page, 'Next');
      forward.push(await ids(page));
    }
    assert.deepEqual(
      forward.flat(),
      keys.filter(matches).map(({ id }) => id),
    );
    const backward = [await ids(page)];
    while (await has(page, 'Previous')) {
      await turn(page, 'Previous');
      backward.unshift(await ids(page));
    }
    assert.deepEqual(backward, forward);
  });
}

test('what is found is shown while the rest is read, and reading can be stopped and continued', async t => {
  const page = await signedIn(t, served);
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  let requests = 0;
  await page.route('**/api_keys?*', async route => {
    requests += 1;
    if (requests === 2) await held;
    await route.continue().catch(() => {}); // the page has aborted it
  });
  await page.evaluate("location.hash = 'name=Key 33'");
  await page.getByText('1 found in 1,000 keys read').waitFor();
  assert.deepEqual(await ids(page), [keys[33]?.id]);
  await page.getByRole('button', { name: 'Stop' }).click();
  release();
  await page.getByText('Stopped.').waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('newest first. 1 key, created ').waitFor();
  await settled(page);
  assert.equal(requests, 4, 'of three pages one was asked for again');
});

test('a list in which nothing was found says so only at the end', async t => {
  const page = await signedIn(t, served);
  await page.route('**/api_keys?*', () => {}, { times: 1 });
  await page.evaluate("location.hash = 'name=nothing'");
  await page.getByText('None found so far.').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('No API key matches these filters.').waitFor();
});

for (const [address, message] of [
  ['?limit=many#created_before=2026-01-01', /limit: must be a whole number from 1 to 1000/],
  ['#created_before=yesterday', /created_before: must be a date such as/],
] as const) {
  test(`the console refuses ${address} with what to do`, async t => {
    const page = await signedIn(t, served, { at: address });
    assert.match(await page.getByRole('alert').innerText(), message);
  });
}
