import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import type { ApiKeyId } from '../../../src/shared/record/identifier.ts';
import { assertNoTrace } from '../../support/canaries.ts';
import { openTab, servedConsole, signIn, signInAgain } from '../../support/console.ts';
import { type Scope, suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const keys = Array.from({ length: 50 }, (_, number) =>
  numberedKey(number, { id: `apikey_${String(number).padStart(24, '0')}` as ApiKeyId }),
);
const served = await servedConsole(suiteScope(), keys);

/** Random letters of both cases and digits. */
const body = (bytes: number) => `a1B2${randomBytes(bytes).toString('base64').replaceAll(/[+/=]/g, 'x')}`;
const labelled = () => `sk-ven-api03-R2D${body(36)}igAA`;
/** A key that is like those of the roster, and some that are not; `test/admin/find/question.unit.ts` has each kind in each text. */
const forms: readonly (readonly [form: string, canary: () => string, around?: (canary: string) => string])[] =
  [
    ['that begins as IDs do', () => `apikey_${body(36)}`],
    ['that is a UUID', randomUUID],
    ['that is an admin key', () => `vendor-admin01-${body(33)}`],
    ['in a line of an environment', labelled, canary => `export API_KEY="${canary}"\n`],
    ['in a URL', labelled, canary => `https://example.com/v1?key=${canary}&page=2`],
  ];

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
const find = (page: Page) => page.getByRole('button', { name: 'Find', exact: true });

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

async function opened(scope: Scope, options: BrowserContextOptions = {}) {
  const page = await openTab(scope, options);
  await page.goto(`${served.url}find`);
  const sample = page.waitForResponse(/limit=100/);
  await signIn(page, served.secret);
  await sample;
  await field(page).focus();
  return page;
}
const hintOf = (page: Page, canary: string) =>
  page
    .locator('.notice code')
    .filter({ hasText: canary.slice(-2) })
    .first();

test('a full key is in no request, log, address, storage, message or element, however it comes, whatever its form', async t => {
  const page = await opened(t, { permissions: ['clipboard-read', 'clipboard-write'] });
  const sent = watched(page);
  const secrets: string[] = [];
  for (const [way, put] of Object.entries(ways))
    for (const [form, canaryOf, around = (key: string) => key] of way === 'pasted'
      ? forms
      : forms.slice(-3)) {
      const canary = canaryOf();
      secrets.push(canary);
      await field(page).focus();
      await put(page, around(canary));
      const hint = await hintOf(page, canary).textContent();
      assert(canary.startsWith(hint?.split('...')[0] ?? 'none'), `${way}, ${form}`);
      assert.equal(await field(page).inputValue(), '', `${way}, ${form}`);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Z');
      assertNoTrace(secrets, await keptIn(page), `the page, after a key ${form} was ${way}`);
    }
  await signInAgain(page, served);
  assertNoTrace(secrets, await keptIn(page), 'the view, reloaded');
  assertNoTrace(secrets, await sent(), 'a request or a console message');
  assertNoTrace(secrets, served.logText(), 'the log');
  assert.match(served.logText(), /"msg":"request"/);
});

test('a typed key is looked for as a whole, by Enter or the button, and taken out when it is left', async t => {
  const page = await opened(t);
  const searches = page.getByRole('region', { name: 'Result' });
  const typed = async () => {
    const canary = labelled();
    await field(page).focus();
    await page.keyboard.type(canary);
    assertNoTrace([canary], await page.content(), 'an element');
    assert.equal(await field(page).inputValue(), canary);
    return canary;
  };
  const left = await typed();
  await page.getByRole('heading', { name: 'Find a key' }).click();
  await page.getByText('nothing was looked for or sent').waitFor();
  assert.equal(await field(page).inputValue(), '');
  assert.equal(await searches.count(), 0);
  assertNoTrace([left], await keptIn(page), 'the page');
  for (const press of [() => page.keyboard.press('Enter'), () => find(page).click()]) {
    const canary = await typed();
    await press();
    const hint = `${canary.slice(0, 16)}...${canary.slice(-4)}`;
    await page.locator('.notice code').filter({ hasText: hint }).waitFor();
    assert.equal(await field(page).inputValue(), '');
    assertNoTrace([canary], await keptIn(page), 'the page');
  }
});
