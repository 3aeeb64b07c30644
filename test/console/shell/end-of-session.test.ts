import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openTab, servedConsole, settled, signedIn, signIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(3_000));
const OPERATION = '**/v1/organizations/api_keys*';

test('after Sign out nothing is sent any more, whatever was under way', async t => {
  const page = await signedIn(t, served);
  await page.route(OPERATION, async route => {
    await setTimeout(200);
    await route.continue().catch(() => {}); // the page has aborted the request
  });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Download CSV' }).click();
  await page.getByRole('link', { name: 'Find' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Admin key').waitFor();
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  await setTimeout(1_500);
  assert.equal(requests, 0);
});

test('a walk that was left is gone with its list', async t => {
  const page = await signedIn(t, served);
  await page.evaluate("location.hash = '#name=none'");
  await page.getByText('No API key matches').waitFor();
  await page.route(OPERATION, () => {}); // no answer
  await page.goBack();
  await page.waitForURL(served.url);
  assert.equal(await page.getByRole('button', { name: 'Continue' }).count(), 0);
});

test('a late refusal of the admin key does not end the next session', async t => {
  const page = await signedIn(t, served);
  let refuse = () => {};
  const held = new Promise<void>(resolve => {
    refuse = resolve;
  });
  await page.route('**/api_keys?limit=100', async route => {
    await held;
    await route.fulfill({ status: 401 }).catch(() => {});
  });
  await page.getByRole('link', { name: 'Find' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await signIn(page, served.secret);
  refuse();
  await setTimeout(500);
  assert.equal(await page.getByText('The admin key is no longer valid.').count(), 0);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
});

test('what is typed after a 429 is not sent by the countdown', async t => {
  const page = await openTab(t);
  await page.goto(served.url);
  const error = { type: 'rate_limit_error', message: 'too many requests; try again later' };
  const headers = { 'retry-after': '1', 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'error', error });
  await page.route(OPERATION, route => route.fulfill({ status: 429, headers, body }));
  await page.getByLabel('Admin key').fill(served.secret);
  await page.keyboard.press('Enter');
  await page.getByText('Tries again by itself').waitFor();
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  await page.getByLabel('Admin key').fill('half');
  await setTimeout(1_500);
  assert.equal(requests, 0);
});

test('a walk whose end comes before the page is drawn is shown as complete', async t => {
  const page = await openTab(t);
  await page.addInitScript('requestAnimationFrame = () => 0');
  await page.goto(`${served.url}overview`);
  await signIn(page, served.secret);
  await page.getByText('3,000 keys, as of').waitFor();
  await settled(page);
});
