/** The web console as its users have it: the built files, served over a real roster, in a real Chromium. */
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { buildConsole } from '../../scripts/build-console.ts';
import { readConsole } from '../../src/service/api/console.ts';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { StoreReader } from '../../src/service/roster/pages/reader.ts';
import { Service } from '../../src/service/server/service.ts';
import { BROWSER_ENDPOINT, type RunningChromium, startChromium } from './chromium.ts';
import { createOrganization, importKeys, sqlite, VENDOR } from './roster.ts';
import { atEndOf, type Scope } from './scope.ts';

/** The URL ends in a slash. While `failure` is set, every list of the store fails with it. */
export type ServedConsole = Awaited<ReturnType<typeof servedConsole>>;

export async function servedConsole(
  scope: Scope,
  keys: readonly ApiKey[],
  { vendor = VENDOR, rateLimit = 0 } = {},
) {
  await buildConsole();
  const store = await sqlite.create();
  atEndOf(scope, () => store.remove());
  const writer = await store.openWriter();
  atEndOf(scope, () => writer.close());
  const { id: organization, secret } = await createOrganization(writer);
  const { refusals } = await importKeys(writer, organization, keys);
  assert.deepEqual(refusals, []);
  const reader = await store.openReader();
  atEndOf(scope, () => reader.close());
  const lines: string[] = [];
  const logText = () => lines.join('');
  const served = { url: '', secret, organization, writer, failure: null as Error | null, logText };
  const roster: StoreReader = {
    listApiKeys: async (...query) => {
      if (served.failure) throw served.failure;
      return reader.listApiKeys(...query);
    },
    findAdminKey: (...admin) => reader.findAdminKey(...admin),
    checkReadiness: () => reader.checkReadiness(),
    listFields: () => reader.listFields(),
    close: () => reader.close(),
  };
  const log = { level: 'debug', destination: { write: (line: string) => void lines.push(line) } } as const;
  const service = new Service({ roster, vendor, rateLimit, log, console: await readConsole() });
  atEndOf(scope, () => service.close());
  served.url = `${await service.listen({ host: '127.0.0.1', port: 0 })}/console/`;
  return served;
}

/** The run's browser, or a new one for a test file that is run by itself. */
async function connect(): Promise<Browser> {
  const shared = process.env[BROWSER_ENDPOINT];
  if (shared) return chromium.connect(shared);
  own = await startChromium();
  return chromium.connect(own.endpoint);
}

let own: RunningChromium | undefined;
let browser: Promise<Browser> | undefined;
after(async () => {
  await (await browser)?.close();
  await own?.stop();
});

/** All tabs of a browser share its clipboard, those of other test files too. */
async function ownBrowser(scope: Scope): Promise<Browser> {
  const { endpoint, stop } = await startChromium();
  atEndOf(scope, stop);
  return chromium.connect(endpoint);
}

/** A test fails when it waits longer than this for the page. */
const PAGE_TIMEOUT_MS = 15_000;

/**
 * Opens a new tab. At the scope's end, asserts that it had no error, no violation of the Content-Security-Policy and no
 * request to another origin.
 */
export async function openTab(scope: Scope, options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= connect();
  const usesClipboard = options.permissions !== undefined;
  const from = usesClipboard ? await ownBrowser(scope) : await browser;
  const context = await from.newContext({ reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const problems: string[] = [];
  page.on('pageerror', error => problems.push(String(error)));
  page.on('console', message => {
    // The browser logs every list that fails. The tests themselves check which ones do.
    const isFailedList =
      message.text().startsWith('Failed to load resource') &&
      message.location().url.includes(LIST_API_KEYS_PATH);
    if (['error', 'warning'].includes(message.type()) && !isFailedList) problems.push(message.text());
  });
  page.on('request', request => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== 'blob:' && hostname !== '127.0.0.1') problems.push(`a request to ${request.url()}`);
  });
  atEndOf(scope, async () => {
    await context.close();
    assert.deepEqual(problems, []);
  });
  return page;
}

export async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Admin key').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Views' }).waitFor();
}

/** Reloads the page, which ends its session, and signs in again. */
export async function signInAgain(page: Page, { secret }: ServedConsole): Promise<void> {
  await page.reload();
  await signIn(page, secret);
}

/** Types this text into a field, and presses Enter. */
export async function enter(page: Page, field: string, text: string): Promise<void> {
  await page.getByLabel(field, { exact: true }).fill(text);
  await page.keyboard.press('Enter');
}

/** Picks a file of this text. */
export async function pickFile(page: Page, text: string, name = 'a.csv'): Promise<void> {
  const file = { name, mimeType: 'text/plain', buffer: Buffer.from(text) };
  await page.locator('.file input').setInputFiles(file);
}

/** Opens what is behind the one menu of a view, or of the header. */
export async function openMenu(page: Page, of: 'header' | 'main' = 'main'): Promise<void> {
  const menu = page.locator(`${of} .menu`);
  if ((await menu.getAttribute('open')) === null) await menu.locator('summary').click();
}

/** Presses a button of a menu. */
export async function press(page: Page, name: string, of: 'header' | 'main' = 'main'): Promise<void> {
  await openMenu(page, of);
  await page.getByRole('button', { name }).click();
}

/** An address that only has filters is one of the roster. */
const pathOf = (at: string) => (/^$|^[?#]/.test(at) ? `roster${at}` : at);

/** Opens a tab at this path below the console's URL and signs in. */
export async function signedIn(
  scope: Scope,
  { url, secret }: ServedConsole,
  { at = '', ...options }: BrowserContextOptions & { at?: string } = {},
): Promise<Page> {
  const page = await openTab(scope, options);
  await page.goto(url + pathOf(at));
  await signIn(page, secret);
  await settled(page);
  return page;
}

/** Goes to another address of the console in the same session: a reload would end it. */
export async function visit(page: Page, { url }: ServedConsole, at: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(url + pathOf(at))}), dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await settled(page);
}

/** Opens the worklist by its link, and waits for the end of its count. */
export async function openWorklist(page: Page, keys: number, options = {}): Promise<void> {
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByText(`of ${keys.toLocaleString('en')} key`).waitFor(options);
}

/** The queries of the lists that the page asks for from now on. */
export function listQueries(page: Page): string[] {
  const queries: string[] = [];
  page.on('request', request => {
    const { pathname, search } = new URL(request.url());
    if (pathname.endsWith(LIST_API_KEYS_PATH)) queries.push(search);
  });
  return queries;
}

/** Holds these requests back until the function that it returns is called. */
export async function holdBack(page: Page, requests: string | RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(requests, async route => {
    await promise;
    await route.continue().catch(() => {}); // the page may have aborted it
  });
  return resolve;
}

/** Clicks the button of a download, in a menu or beside it, and returns the name and the content of its file. */
export async function download(page: Page, button: string): Promise<{ name: string; content: string }> {
  if (button.startsWith('Download')) await openMenu(page);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: file.suggestedFilename(), content: await text(await file.createReadStream()) };
}

/** Waits until the page shows its content or an error. */
export async function settled(page: Page): Promise<void> {
  await page
    .locator('.keys[aria-busy=false], .error:not([aria-busy=true]), .worklist, main > .empty, .find-form')
    .first()
    .waitFor();
}

/** The names in the table, from top to bottom. */
export function names(page: Page): Promise<string[]> {
  return page.locator('.api-keys .name').allTextContents();
}

/** A button of the pager above the list; the one below it has the same. */
export function pagerButton(page: Page, name: 'First' | 'Previous' | 'Next'): Locator {
  return page.getByRole('button', { name, exact: true }).first();
}

/** Whether the button leads anywhere. */
export async function leads(page: Page, button: 'Previous' | 'Next'): Promise<boolean> {
  return (await pagerButton(page, button).getAttribute('aria-disabled')) !== 'true';
}

/** Clicks a button of the pager and waits for the page. */
export async function turn(page: Page, button: 'First' | 'Previous' | 'Next'): Promise<void> {
  await pagerButton(page, button).click();
  await settled(page);
}
