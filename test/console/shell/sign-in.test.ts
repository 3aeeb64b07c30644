import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/roster/errors.ts';
import { parseVendor, type Vendor } from '../../../src/roster/vendor.ts';
import { mistyped } from '../../support/canaries.ts';
import { names, openTab, servedConsole, settled, signedIn, signIn } from '../../support/console.ts';
import { ALL, now } from '../../support/roster.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(3));
const WRONG = 'That is not a valid admin key.';

test('an admin key opens the roster of its organization', async t => {
  const page = await openTab(t);
  await page.goto(served.url);
  await signIn(page, ` ${served.secret}\n`);
  await settled(page);
  assert.deepEqual(await names(page), ['Key 0', 'Key 1', 'Key 2']);
  await page.getByText(served.organization).waitFor();
});

for (const [what, key] of [
  ['mistyped', mistyped(served.secret)],
  ['of another format', 'password'],
  ['in another script', 'ключ'],
]) {
  test(`a key that is ${what} shows an error, and another key can be entered at once`, async t => {
    const page = await openTab(t);
    await page.goto(served.url);
    await page.getByLabel('Admin key').fill(String(key));
    await page.keyboard.press('Enter');
    await page.getByText(WRONG).waitFor();
    assert.equal(await page.getByRole('table').count(), 0);
    await signIn(page, served.secret);
  });
}

test('an unavailable service is not reported as a wrong key', async t => {
  const page = await openTab(t);
  await page.goto(served.url);
  served.failure = new StoreUnavailable('gone');
  await page.getByLabel('Admin key').fill(served.secret);
  await page.keyboard.press('Enter');
  await page.getByText('The service is not available just now').waitFor();
  assert.equal(await page.getByText(WRONG).count(), 0);
  served.failure = null;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('table').waitFor();
});

test('the admin key is in no address, no cookie and no storage', async t => {
  const page = await signedIn(t, served);
  const addresses: string[] = [];
  page.on('request', request => addresses.push(request.url()));
  await page.getByLabel('Status').selectOption('active');
  await settled(page);
  await page.getByRole('link', { name: 'Overview' }).click();
  await settled(page);
  const stored = {
    context: await page.context().storageState({ indexedDB: true }),
    session: await page.evaluate('JSON.stringify(sessionStorage)'),
    name: await page.evaluate('window.name + JSON.stringify(history.state)'),
    caches: await page.evaluate('caches.keys()'),
    document: await page.content(),
    addresses,
  };
  assert(addresses.length > 1);
  assert(!JSON.stringify(stored).includes(served.secret));
  assert.deepEqual(stored.context, { cookies: [], origins: [] });
});

test('a reload requires the admin key again, and then shows the same page', async t => {
  const page = await signedIn(t, served, { at: '?limit=1&after_id=k0' });
  const address = page.url();
  await page.reload();
  assert.equal(await page.getByRole('table').count(), 0);
  await signIn(page, served.secret);
  await settled(page);
  assert.equal(page.url(), address);
  assert.deepEqual(await names(page), ['Key 1']);
});

test('signing out clears everything, and the back button does not restore it', async t => {
  const page = await signedIn(t, served, { at: '?status=active' });
  await page.getByRole('link', { name: 'Overview' }).click();
  await settled(page);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByText('You are signed out.').waitFor();
  assert.equal(page.url(), served.url);
  const showsRoster = async () => {
    await page.getByLabel('Admin key').waitFor();
    return /Key \d|k\d|org_/.test(await page.locator('body').innerText());
  };
  assert.equal(await showsRoster(), false);
  assert.equal(await page.getByLabel('Admin key').inputValue(), '');
  await page.goBack();
  assert.equal(await showsRoster(), false);
});

test('leaving the console for another page ends the session', async t => {
  const page = await signedIn(t, served);
  await page.goto('about:blank');
  await page.goBack();
  await page.getByLabel('Admin key').waitFor();
});

test('revoking the admin key ends the session with a message', async t => {
  const own = await servedConsole(t, numberedKeys(1));
  const page = await signedIn(t, own);
  const [adminKey] = await own.writer.listAdminKeys(own.organization, ...ALL);
  assert(adminKey);
  await own.writer.revokeAdminKey(adminKey.id, now());
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByText('The admin key is no longer valid.').waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
});

test('without TLS the console shows a warning before sign-in', async t => {
  const page = await openTab(t);
  await page.goto(served.url);
  const warning = page.getByText('This page came without TLS.');
  assert.equal(await warning.count(), 0); // loopback counts as secure
  await page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })");
  await page.reload();
  await warning.waitFor();
});

test('the console sends the version header of the configured vendor', async t => {
  const acme = await servedConsole(t, numberedKeys(1), { vendor: parseVendor('acme') as Vendor });
  const page = await signedIn(t, acme);
  assert.deepEqual(await names(page), ['Key 0']);
});
