import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { StoreUnavailable } from '../../../src/service/roster/errors.ts';
import { names, pagerButton, press, servedConsole, signedIn, visit } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(30));
const OPERATION = '**/v1/organizations/api_keys*';
const REQUEST_ID = /req_[0-9a-f]{32}/;
const reload = (page: Page) => press(page, 'Reload');
const tryAgain = (page: Page) => page.getByRole('button', { name: 'Try again' });
const gone = (page: Page) => page.getByRole('alert').waitFor({ state: 'detached' });

test("the service's rate limit is shown with its request ID and the time that it lasts, above the list before", async t => {
  const own = await servedConsole(t, numberedKeys(3), { rateLimit: 2 });
  const page = await signedIn(t, own); // one request to sign in, one for the roster
  await reload(page);
  await page.getByText('Too many requests', { exact: true }).waitFor();
  assert.match(await page.getByRole('alert').innerText(), REQUEST_ID);
  assert.match(await page.getByText('Tries again in').innerText(), /in ([1-5]?\d|60) s\.$/);
  assert.equal((await names(page)).length, 3);
});

test('each failure is shown in words, with the request ID, and is tried again by hand, or when retry-after is over', async t => {
  const page = await signedIn(t, served);
  const error = { type: 'api_error', message: 'a proxy says that the service restarts' };
  const headers = { 'retry-after': '1', 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'error', error }); // without a request ID
  await page.route(OPERATION, route => route.fulfill({ status: 503, headers, body }), { times: 2 });
  await page.evaluate('Date.now = () => 0');
  await reload(page);
  await page.getByText('The service is not available just now').waitFor();
  await page.getByText('Tries again in').waitFor();
  await gone(page);
  assert.equal((await names(page)).length, 20);

  for (const [failure, title] of [
    [new StoreUnavailable('gone'), 'The service is not available just now'],
    [new Error('a fault'), 'The service has failed'],
  ] as const) {
    served.failure = failure;
    await reload(page);
    await page.getByText(title).waitFor();
    assert.match(await page.getByRole('alert').innerText(), REQUEST_ID);
    served.failure = null;
    await tryAgain(page).press('Enter');
    await gone(page);
    assert.equal(await page.evaluate('document.activeElement.id'), 'content', 'the focus is lost');
    assert.equal((await names(page)).length, 20);
  }
});

test('while another list fails the one before is there and says so, and a refused link leads to all keys', async t => {
  const page = await signedIn(t, served);
  await page.route(OPERATION, route => route.abort(), { times: 1 });
  await pagerButton(page, 'Next').focus();
  await page.keyboard.press('Enter');
  await page.getByText('The service could not be reached').waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Next');
  assert.match(await page.locator('.summary').innerText(), /^Still shown: all keys/);
  assert.equal((await names(page))[0], 'Key 0');
  await tryAgain(page).click();
  await page.getByText('Key 20', { exact: true }).waitFor();
  for (const [address, message] of [
    ['?after_id=apikey_elsewhere', /not an API key of this organization/],
    ['?limit=1e1', /limit: must be a whole number from 1 to 1000/],
  ] as const) {
    await visit(page, served, address);
    await page.getByText(message).waitFor();
    assert.match(await page.getByRole('alert').innerText(), REQUEST_ID);
    assert.equal(await tryAgain(page).count(), 0); // it can only end so
    await page.getByRole('link', { name: 'Show all keys from the newest' }).click();
    await gone(page);
    assert.equal((await names(page))[0], 'Key 0');
  }
});

test('a record without what it must have is an error that names it, in every view', async t => {
  const page = await signedIn(t, served);
  await page.route(OPERATION, async route => {
    const answer = await route.fetch();
    const { data, ...rest } = await answer.json();
    data[1].created_by = null;
    await route.fulfill({ response: answer, json: { ...rest, data } });
  });
  await reload(page);
  await page.getByText('the service lists k1 with a created_by').waitFor();
  for (const [view, heading] of [
    ['Worklist', 'Worklist'],
    ['Find', 'Find a key'],
  ] as const) {
    await page.getByRole('link', { name: view }).click();
    await page.getByRole('heading', { name: heading }).waitFor(); // the error isn't that of the view before
    await page.getByText('the service lists k1 with a created_by').waitFor();
  }
});
