import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreUnavailable } from '../../../src/service/roster/errors.ts';
import { parseVendor, type Vendor } from '../../../src/shared/record/vendor.ts';
import { mistyped } from '../../support/canaries.ts';
import {
  enter,
  holdBack,
  listQueries,
  names,
  openTab,
  press,
  servedConsole,
  settled,
  signedIn,
  signIn,
} from '../../support/console.ts';
import { ALL, now } from '../../support/roster.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { until } from '../../support/until.ts';

const served = await servedConsole(suiteScope(), numberedKeys(2_100));
const WRONG = 'That is not a valid admin key.';

test('an admin key opens the worklist of its organization, and a wrong one or a failure is told before', async t => {
  const page = await openTab(t);
  await page.goto(served.url);
  for (const wrong of [mistyped(served.secret), 'password', 'ключ']) {
    await enter(page, 'Admin key', wrong);
    await page.getByText(WRONG).waitFor();
    assert.equal(await page.getByRole('table').count(), 0);
  }
  served.failure = new StoreUnavailable('gone');
  await enter(page, 'Admin key', served.secret);
  await page.getByText('The service is not available just now').waitFor();
  assert.equal(await page.getByText(WRONG).count(), 0);
  served.failure = null;
  await signIn(page, ` ${served.secret}\n`);
  await page.getByRole('heading', { name: 'Worklist' }).waitFor();
  await page.getByText(served.organization).waitFor();
});

test('an admin key that may see only a part of the organization is told which', async t => {
  const page = await openTab(t);
  await page.route(/api_keys/, async route => {
    const response = await route.fetch();
    const scope = 'workspace_id=wrkspc_1&created_by_user_id=user_1';
    await route.fulfill({ response, headers: { ...response.headers(), 'vendor-scope': scope } });
  });
  await page.goto(served.url);
  await signIn(page, served.secret);
  await page
    .getByText('Your admin key sees only workspace_id=wrkspc_1 and created_by_user_id=user_1.')
    .waitFor();
  await page
    .getByRole('heading', { name: 'Worklist of workspace_id=wrkspc_1 and created_by_user_id=user_1' })
    .waitFor();
  await page.unrouteAll({ behavior: 'wait' });
});

test('the admin key is in no address, cookie or storage, and a reload and another page end the session', async t => {
  const page = await signedIn(t, served, { at: '?limit=1&after_id=k0' });
  const addresses: string[] = [];
  page.on('request', request => addresses.push(request.url()));
  await page.getByRole('link', { name: 'Worklist' }).click();
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
  await page.goBack();
  await settled(page);
  await page.reload();
  assert.equal(await page.getByRole('table').count(), 0);
  await signIn(page, served.secret);
  await settled(page);
  assert.equal(page.url(), `${served.url}roster?limit=1&after_id=k0`);
  assert.deepEqual(await names(page), ['Key 1']);
  await page.goto('about:blank');
  await page.goBack();
  await page.getByLabel('Admin key').waitFor();
});

test('after Sign out nothing is shown or sent any more, whatever was under way, nor by Back', async t => {
  const page = await signedIn(t, served, { at: '?status=active' });
  const under: string[] = [];
  const ended: string[] = [];
  page.on('requestfailed', request => ended.push(request.failure()?.errorText ?? ''));
  await holdBack(page, /limit=1000/);
  const { promise: refused, resolve: refuse } = Promise.withResolvers<void>();
  await page.route(/limit=100$/, async route => {
    await refused;
    await route.fulfill({ status: 401 }).catch(() => {}); // the page has aborted it
  });
  page.on('request', request => under.push(request.url()));
  await press(page, 'Download CSV');
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByRole('link', { name: 'Find' }).click();
  await until('a count, a download and the newest keys are under way', () => under.length === 3);
  await press(page, 'Sign out', 'header');
  await page.getByText('You are signed out.').waitFor();
  assert.equal(page.url(), served.url);
  await until('each of them is aborted', () => ended.length === 3);
  assert.deepEqual(new Set(ended), new Set(['net::ERR_ABORTED']));
  const showsRoster = async () => {
    await page.getByLabel('Admin key').waitFor();
    return /Key \d|k\d|org_/.test(await page.locator('body').innerText());
  };
  assert.equal(await showsRoster(), false);
  assert.equal(await page.getByLabel('Admin key').inputValue(), '');
  await page.goBack();
  assert.equal(await showsRoster(), false);
  const queries = listQueries(page);
  await page.goto(`${served.url}roster`);
  await signIn(page, served.secret);
  refuse(); // what was of the session before doesn't end this one
  await settled(page);
  await press(page, 'Reload');
  await settled(page);
  assert.deepEqual(queries, ['?limit=1', '', '']);
  assert.equal(await page.getByText('The admin key is no longer valid.').count(), 0);
});

test('the console sends the version header of its vendor, and a revoked admin key ends the session', async t => {
  const own = await servedConsole(t, numberedKeys(1), { vendor: parseVendor('acme') as Vendor });
  const page = await signedIn(t, own);
  assert.deepEqual(await names(page), ['Key 0']);
  const [adminKey] = await own.writer.listAdminKeys(own.organization, ...ALL);
  assert(adminKey);
  await own.writer.revokeAdminKey(adminKey.id, now());
  await press(page, 'Reload');
  await page.getByText('The admin key is no longer valid.').waitFor();
  assert.equal(await page.getByRole('table').count(), 0);
});

test('before sign-in the console warns without TLS, and a page in the background counts to the end', async t => {
  const page = await openTab(t);
  await page.goto(served.url);
  const warning = page.getByText('This page came without TLS.');
  assert.equal(await warning.count(), 0); // loopback counts as secure
  await page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })");
  // A page in the background draws no frame.
  await page.addInitScript('requestAnimationFrame = () => 0');
  await page.goto(`${served.url}`);
  await warning.waitFor();
  await signIn(page, served.secret);
  await page.getByText('of 2,100 keys').waitFor(); // the end of a walk is shown without a frame
});
