import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { StoreUnavailable } from '../../../src/roster/errors.ts';
import { names, openTab, servedConsole, settled, signedIn, signIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(3));
const OPERATION = '**/v1/organizations/api_keys*';
const REQUEST_ID = /req_[0-9a-f]{32}/;

/** Answers the next requests with 429, as a rate limit in front of the service does. */
async function limitRate(page: Page, { times, seconds }: { times: number; seconds: number }): Promise<void> {
  const error = { type: 'rate_limit_error', message: 'too many requests; try again later' };
  const id = `req_${'0'.repeat(32)}`;
  const answer = {
    status: 429,
    headers: { 'retry-after': String(seconds), 'request-id': id, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'error', error, request_id: id }),
  };
  await page.route(OPERATION, route => route.fulfill(answer), { times });
}

test('a 429 is shown with its request ID, and the request is retried when retry-after is over', async t => {
  const page = await signedIn(t, served);
  await limitRate(page, { times: 1, seconds: 1 });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('Too many requests', { exact: true }).waitFor();
  assert.match(await page.getByRole('alert').innerText(), REQUEST_ID);
  await page.getByText('Tries again by itself').waitFor();
  assert.equal(await page.getByText('Key 0', { exact: true }).count(), 1); // the page that was shown stays
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByText('Key 0', { exact: true }).waitFor();
});

test('a 429 can be retried by hand before its retry-after is over', async t => {
  const page = await signedIn(t, served);
  await limitRate(page, { times: 1, seconds: 3_600 });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Key 0', { exact: true }).waitFor();
});

test("the service's own rate limit is shown with the time that it lasts", async t => {
  const own = await servedConsole(t, numberedKeys(3), { rateLimit: 2 });
  const page = await signedIn(t, own); // one request to sign in, one for the roster
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('Too many requests', { exact: true }).waitFor();
  assert.match(await page.getByRole('alert').innerText(), REQUEST_ID);
  assert.match(await page.getByText('Tries again by itself in').innerText(), /in ([1-5]?\d|60) s$/);
});

test('the overview retries after a 429 without showing it', async t => {
  const page = await signedIn(t, served);
  await limitRate(page, { times: 2, seconds: 0 });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('3 keys, as of').waitFor();
});

test('a 503 is shown with its request ID, and a retry shows the roster when the store is back', async t => {
  const own = await servedConsole(t, numberedKeys(3));
  const page = await signedIn(t, own);
  own.failure = new StoreUnavailable('gone');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('The service is not available just now').waitFor();
  assert.match(await page.getByRole('alert').innerText(), REQUEST_ID);
  own.failure = null;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Key 0', { exact: true }).waitFor();
});

test('after each 503 the request is retried, also when none has a request ID', async t => {
  const page = await signedIn(t, served);
  const error = { type: 'api_error', message: 'a proxy says that the service restarts' };
  const answer = {
    status: 503,
    headers: { 'retry-after': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'error', error }),
  };
  await page.route(OPERATION, route => route.fulfill(answer), { times: 3 });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('The service is not available just now').waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  await page.getByText('Key 0', { exact: true }).waitFor();
});

test('an internal error of the service is shown with the request ID', async t => {
  const own = await servedConsole(t, numberedKeys(1));
  const page = await signedIn(t, own);
  own.failure = new Error('a fault');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('The service has failed').waitFor();
  assert.match(await page.getByRole('alert').innerText(), REQUEST_ID);
});

for (const [what, address, message] of [
  ['a cursor of another organization', '?after_id=apikey_elsewhere', /not an API key of this organization/],
  ['both cursors', '?after_id=k0&before_id=k2', /give one of them, not both/],
  ['a page size that is not a number', '?limit=many', /limit: must be a whole number from 1 to 1000/],
  ['a page size in another form', '?limit=1e1', /limit: must be a whole number from 1 to 1000/],
  ['an unknown status', '?status=gone', /status: must be/],
] as const) {
  test(`a link with ${what} shows the error of the service and a link to all keys`, async t => {
    const page = await signedIn(t, served, { at: address });
    assert.match(await page.getByRole('alert').innerText(), message);
    assert.match(await page.getByRole('alert').innerText(), REQUEST_ID);
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0); // it can only end so
    await page.getByRole('link', { name: 'Show all keys from the newest' }).click();
    await page.getByText('Key 0', { exact: true }).waitFor();
  });
}

test('an answer that arrives after a newer request is ignored', async t => {
  const page = await signedIn(t, served);
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/api_keys?status=inactive', async route => {
    await held;
    await route.continue().catch(() => {}); // the page has aborted the request
  });
  await page.getByLabel('Status').selectOption('inactive');
  await page.waitForURL(/inactive/);
  await page.getByLabel('Status').selectOption('active');
  await page.waitForURL(/status=active/);
  release();
  await settled(page);
  assert.deepEqual(new Set(await page.locator('.badge').allTextContents()), new Set(['active']));
});

test('a network failure is shown and can be retried', async t => {
  const page = await signedIn(t, served);
  await page.route(OPERATION, route => route.abort(), { times: 1 });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('The service could not be reached').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Key 0', { exact: true }).waitFor();
});

test('a filter of the console that the address has wrongly is told, with what it must be', async t => {
  const page = await signedIn(t, served, { at: '#created_before=tomorrow' });
  const alert = page.getByRole('alert');
  assert.match(
    await alert.innerText(),
    /^The list can't be filtered .*created_before: must be a date such as/s,
  );
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
});

test('a filter of the console also counts where a link has it in the query', async t => {
  const page = await signedIn(t, served, { at: '?name=Key+1' });
  assert.deepEqual(await names(page), ['Key 1']);
});

for (const [what, change] of [
  ['no creator', { created_by: null }],
  ['no hint', { partial_key_hint: undefined }],
  ['a name that is no text', { name: null }],
  ['a time that is no text', { created_at: 1 }],
] as const) {
  test(`a record with ${what} is an error that names it, in every view`, async t => {
    const page = await signedIn(t, served);
    await page.route(OPERATION, async route => {
      const answer = await route.fetch();
      const { data, ...rest } = await answer.json();
      const changed = data.map((key: object, index: number) => (index === 1 ? { ...key, ...change } : key));
      await route.fulfill({ response: answer, json: { ...rest, data: changed } });
    });
    await page.getByRole('button', { name: 'Reload' }).click();
    const message = new RegExp(`the service lists k1 with a ${Object.keys(change)[0]}`);
    await page.getByText(message).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText(message).waitFor();
    await page.getByRole('link', { name: 'Find' }).click();
    await page.getByLabel('Name, ID or hint').fill('Key');
    await page.keyboard.press('Enter');
    await page.getByText(message).waitFor();
  });
}

test('the countdown to a retry does not depend on the clock of the machine', async t => {
  const page = await signedIn(t, served);
  await limitRate(page, { times: 1, seconds: 2 });
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('Tries again by itself').waitFor();
  await page.evaluate('Date.now = () => 0');
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

test('where the file of the views fails to load, the page says so before sign-in, and comes when it is reloaded', async t => {
  const page = await openTab(t);
  await page.route(
    '**/signed-in-*.js',
    route => route.fulfill({ contentType: 'text/javascript', body: 'throw new Error()' }),
    { times: 1 },
  );
  await page.goto(served.url);
  await page.getByText('A part of the console could not be loaded.').waitFor();
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await signIn(page, served.secret);
  await page.getByText('Key 0', { exact: true }).waitFor();
});
