import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Page, Request } from 'playwright-core';
import type { ApiKeyId } from '../../../src/roster/identifier.ts';
import type { PartialKeyHint } from '../../../src/roster/partial-key-hint.ts';
import { assertNoTrace } from '../../support/canaries.ts';
import { openTab, servedConsole, signIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const suite = suiteScope();
const keys = Array.from({ length: 50 }, (_, number) =>
  numberedKey(number, { id: `apikey_${String(number).padStart(24, '0')}` as ApiKeyId }),
);
const served = await servedConsole(suite, keys);

/** Random letters of both cases and digits. */
const body = (bytes: number) => `a1B2${randomBytes(bytes).toString('base64').replaceAll(/[+/=]/g, 'x')}`;
const forms: Readonly<Record<string, (canary: string) => string>> = {
  'with the label of the roster': canary => canary,
  'of another vendor': canary => canary,
  'without a label': canary => canary,
  'of 64 hex digits': canary => canary,
  'that begins as IDs do': canary => canary,
  'that is a UUID': canary => canary,
  'that is a JWT': canary => canary,
  'that is an admin key': canary => canary,
  'in a line of an environment': canary => `export API_KEY="${canary}"\n`,
  'in a URL': canary => `https://example.com/v1?key=${canary}&page=2`,
  'with a line break': canary => `${canary}\r\n`,
};
const labelled = () => `sk-ven-api03-R2D${body(36)}igAA`;
const canaries: Readonly<Record<string, () => string>> = {
  'of another vendor': () => `sk_live_${body(18)}`,
  'without a label': () => body(30),
  'of 64 hex digits': () => randomBytes(32).toString('hex'),
  'that begins as IDs do': () => `apikey_${body(36)}`,
  'that is a UUID': randomUUID,
  'that is a JWT': () => `eyJhbGciOiJIUzI1NiJ9.${body(30)}.${body(30)}`,
  'that is an admin key': () => `vendor-admin01-${body(33)}`,
};

const ways: Readonly<Record<string, (page: Page, text: string) => Promise<void>>> = {
  pasted: async (page, text) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await page.keyboard.press('Control+V');
  },
  dropped: async (page, text) => {
    const dataTransfer = await page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', ${JSON.stringify(text)});
      return data;
    })()`);
    await field(page).dispatchEvent('drop', { dataTransfer });
  },
  // As a password manager does: the field has it all at once, without a paste.
  'filled in': (page, text) => field(page).fill(text),
  typed: async (page, text) => {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  },
};
const field = (page: Page) => page.getByLabel('Name, ID or hint');

/** Everything that leaves the page, or that it shows or keeps. */
function watched(page: Page) {
  const sent: Promise<string>[] = [];
  page.on('request', request => sent.push(textOf(request)));
  page.on('console', message => sent.push(Promise.resolve(message.text())));
  return async () => (await Promise.all(sent)).join('\n');
}

async function textOf(request: Request): Promise<string> {
  const headers = await request.allHeaders().catch(() => request.headers());
  return `${request.url()} ${request.postData()} ${JSON.stringify(headers)}`;
}

/** What a script of this page could find. */
const KEPT_IN_PAGE = `(async () => JSON.stringify([
  ['input', '$_', '$&', '$1', 'leftContext', 'rightContext'].map(name => RegExp[name]),
  document.documentElement.outerHTML,
  document.title,
  location.href,
  history.state,
  document.cookie,
  { ...localStorage, ...sessionStorage },
  await indexedDB.databases(),
  await caches.keys(),
  [...document.querySelectorAll('input')].map(({ value }) => value),
]))()`;
const keptIn = (page: Page) => page.evaluate<string>(KEPT_IN_PAGE);

for (const [way, put] of Object.entries(ways))
  test(`a full key that is ${way} is in no request, log, address, storage, message or element, whatever its form`, async t => {
    const page = await openTab(t);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const sent = watched(page);
    await page.goto(`${served.url}find`);
    const sample = page.waitForResponse(/limit=100/);
    await signIn(page, served.secret);
    await sample;
    const secrets: string[] = [];
    for (const [form, around] of Object.entries(forms)) {
      const canary = (canaries[form] ?? labelled)();
      secrets.push(canary);
      await field(page).focus();
      await put(page, around(canary));
      const hint = await page
        .locator('.notice code')
        .filter({ hasText: canary.slice(-2) })
        .first()
        .textContent();
      assert.ok(canary.startsWith(hint?.split('...')[0] ?? 'none'), form);
      assert.equal(await field(page).inputValue(), '', form);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Z');
      assertNoTrace(secrets, await keptIn(page), `the page, after a key ${form}`);
    }
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    assertNoTrace(secrets, await keptIn(page), 'another view');
    await page.goBack();
    await field(page).waitFor();
    assertNoTrace(secrets, await keptIn(page), 'the view, come back to');
    await page.reload();
    await signIn(page, served.secret);
    assertNoTrace(secrets, await keptIn(page), 'the view, reloaded');
    assertNoTrace(secrets, await sent(), 'a request or a console message');
    assertNoTrace(secrets, served.logText(), 'the log');
    assert.match(served.logText(), /"msg":"request"/);
  });

const opened = async (t: Parameters<typeof openTab>[0], service = served): Promise<Page> => {
  const page = await openTab(t);
  await page.goto(`${service.url}find`);
  const sample = page.waitForResponse(/limit=100/);
  await signIn(page, service.secret);
  await sample;
  await field(page).focus();
  return page;
};
const searches = (page: Page) => page.getByRole('region', { name: 'Result' }).count();

test('a key that is typed with pauses is looked for as a whole, when Enter is pressed', async t => {
  const page = await opened(t);
  const canary = labelled();
  const half = canary.length / 2;
  await page.keyboard.type(canary.slice(0, half));
  await page.getByText('That looks like a full key. Press Enter').waitFor();
  assert.equal(await searches(page), 0, 'nothing is said of a piece');
  assertNoTrace([canary.slice(0, half)], await page.content(), 'an element');
  await page.keyboard.type(canary.slice(half));
  await page.getByText('That looks like a full key. Press Enter').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('That was a full key.').waitFor();
  assert.equal(
    await page.locator('.notice code').textContent(),
    `${canary.slice(0, 16)}...${canary.slice(-4)}`,
  );
  assert.equal(await field(page).inputValue(), '');
  assertNoTrace([canary], await keptIn(page), 'the page');
});

test('a typed key is looked for with the button too, by the mouse and by the keyboard', async t => {
  const page = await opened(t);
  const button = page.getByRole('button', { name: 'Find', exact: true });
  for (const press of [
    () => button.click(),
    () => page.keyboard.press('Tab').then(() => page.keyboard.press('Space')),
  ]) {
    const canary = labelled();
    await field(page).focus();
    await page.keyboard.type(canary);
    await press();
    await page
      .locator('.notice code')
      .filter({ hasText: canary.slice(-4) })
      .waitFor();
    assertNoTrace([canary], await keptIn(page), 'the page');
  }
});

test('a typed key is taken out of the field when the field is left, and nothing is looked for', async t => {
  const page = await opened(t);
  const canary = labelled();
  await page.keyboard.type(canary);
  await page.getByRole('heading', { name: 'Find a key' }).click();
  await page.getByText('nothing was looked for or sent').waitFor();
  assert.equal(await field(page).inputValue(), '');
  assert.equal(await searches(page), 0);
  assertNoTrace([canary], await keptIn(page), 'the page');
});

test('a typed key is taken out of the field after half a minute', async t => {
  const page = await openTab(t);
  await page.clock.install();
  await page.goto(`${served.url}find`);
  await signIn(page, served.secret);
  await field(page).focus();
  const canary = labelled();
  await page.keyboard.type(canary);
  await page.clock.runFor(1_000);
  await page.getByText('That looks like a full key. Press Enter').waitFor();
  assert.equal(await field(page).inputValue(), canary);
  await page.clock.runFor(30_000);
  await page.getByText('nothing was looked for or sent').waitFor();
  assert.equal(await field(page).inputValue(), '');
  assertNoTrace([canary], await keptIn(page), 'the page');
});

test('nothing is judged while an input method composes', async t => {
  const page = await opened(t);
  const method = await page.context().newCDPSession(page);
  const canary = labelled();
  for (let end = 1; end <= canary.length; end += 1) {
    const text = canary.slice(0, end);
    await method.send('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end });
    assert.equal(await field(page).inputValue(), text);
  }
  assert.equal(await searches(page), 0);
  await method.send('Input.insertText', { text: canary });
  await page.keyboard.press('Enter');
  await page.getByText('That was a full key.').waitFor();
  await page.getByText('found for').waitFor();
  assert.equal(await page.getByRole('region', { name: 'Searches of this session' }).count(), 0, 'one search');
  assertNoTrace([canary], await keptIn(page), 'the page');
});

/** A roster whose keys only its own hints tell from names. */
const withShortKeys = (t: Parameters<typeof servedConsole>[0]) =>
  servedConsole(
    t,
    Array.from({ length: 3 }, (_, number) =>
      numberedKey(number, { partialKeyHint: 'kxvmpqwz...tbnwyp' as PartialKeyHint }),
    ),
  );
const SHORT_KEY = 'kxvmpqwzrhtjcdfgtbnwyp';

test('a text that turns out to be a key when the newest keys have come is forgotten, but for its hint', async t => {
  const page = await openTab(t);
  const service = await withShortKeys(t);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/limit=100$/, route => released.then(() => route.continue()));
  await page.goto(`${service.url}find`);
  await signIn(page, service.secret);
  await field(page).fill(SHORT_KEY);
  await page.keyboard.press('Enter');
  await page.getByText('0 keys found for').waitFor();
  release();
  await page.getByText('That was a full key.').waitFor();
  await page.getByText('3 keys found for').waitFor();
  assert.equal(await field(page).inputValue(), '');
  assertNoTrace([SHORT_KEY], await keptIn(page), 'the page');
});

test('the newest keys are asked for again with the next search, when that has failed', async t => {
  const page = await openTab(t);
  const service = await withShortKeys(t);
  await page.route(/limit=100$/, route => route.abort(), { times: 1 });
  await page.goto(`${service.url}find`);
  const failed = page.waitForEvent('requestfailed');
  await signIn(page, service.secret);
  await failed;
  await field(page).fill(SHORT_KEY);
  await page.keyboard.press('Enter');
  await page.getByText('That was a full key.').waitFor();
  assert.equal(await field(page).inputValue(), '');
  assertNoTrace([SHORT_KEY], await keptIn(page), 'the page');
});

test('the request for the newest keys ends with the session', async t => {
  const page = await openTab(t);
  await page.route(/limit=100$/, () => {});
  await page.goto(`${served.url}find`);
  const ended = page.waitForEvent('requestfailed', request => request.url().endsWith('limit=100'));
  await signIn(page, served.secret);
  await page.getByRole('button', { name: 'Sign out' }).click();
  assert.equal((await ended).failure()?.errorText, 'net::ERR_ABORTED');
});
