/** Takes the screenshots of the web console in docs/images, always of the same roster and time: `npm run screenshots`. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { importFile } from '../src/operator/import/run-import.ts';
import { storeAt } from '../src/operator/options/database.ts';
import { readConsole } from '../src/service/api/console.ts';
import type { Actor } from '../src/service/roster/actor.ts';
import { newAdminKey } from '../src/service/roster/admin-key.ts';
import { AdminKeySecret } from '../src/service/roster/admin-key-secret.ts';
import { Service } from '../src/service/server/service.ts';
import type { Store } from '../src/service/stores.ts';
import type { OrganizationId } from '../src/shared/record/identifier.ts';
import { timestampOfDate } from '../src/shared/record/timestamp.ts';
import { parseVendor, type Vendor } from '../src/shared/record/vendor.ts';
import { startChromium } from '../test/support/chromium.ts';
import { buildConsole } from './build-console.ts';

const path = (relative: string) => join(import.meta.dirname, relative);
const VENDOR = parseVendor('vendor') as Vendor;
const ACTOR = 'screenshots' as Actor;
const NOW = new Date('2026-05-01T12:00:00Z');
/** Names that the packaged font has glyphs for. */
const RENDERABLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Z}]+$/u;

const wide = { viewport: { width: 1200, height: 570 } };
const narrow = { viewport: { width: 360, height: 560 } };

async function takeAll(): Promise<void> {
  await buildConsole();
  const store = storeAt(`sqlite:${join(folder, 'keyroster.db')}`);
  await store.migrate(ACTOR);
  const secret = await fill(store);
  const roster = await store.openReader();
  const service = new Service({ roster, vendor: VENDOR, console: await readConsole() });
  const running = await startChromium();
  const browser = await chromium.connect(running.endpoint);
  try {
    const url = `${await service.listen({ host: '127.0.0.1', port: 0 })}/console/`;
    for (const colorScheme of ['light', 'dark'] as const) await takeViews(browser, url, secret, colorScheme);
  } finally {
    await browser.close();
    await running.stop();
    await service.close();
    await roster.close();
  }
}

/** Each picture: its size, where it is, and what is done there before it is taken. */
const views: readonly (readonly [string, BrowserContextOptions, string, (page: Page) => Promise<unknown>])[] =
  [
    ['worklist', wide, '', openDirectory],
    ['roster', wide, 'roster', async page => page.getByRole('table').waitFor()],
    ['error', wide, 'roster?after_id=apikey_elsewhere', async page => page.getByRole('alert').waitFor()],
    ['narrow', narrow, 'roster?status=active', async page => page.getByRole('table').waitFor()],
    [
      'drawer',
      wide,
      'roster',
      async page => {
        await page.locator('.open').nth(2).click();
        await page.getByRole('dialog').waitFor();
      },
    ],
    [
      'find',
      wide,
      'find',
      async page => {
        await page.getByLabel('Name, ID or hint').fill('pj6r');
        await page.keyboard.press('Enter');
        await page.getByText('Active').or(page.getByText('Inactive')).first().waitFor();
      },
    ],
  ];

/** In each picture but that of the sign-in names stand where IDs would. */
async function openDirectory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByLabel('Open a file…').setInputFiles(path('../examples/directory.csv'));
  await page.getByText('of a creator who has left').waitFor();
  await page.getByText('counted just now').waitFor();
}

async function takeViews(
  browser: Browser,
  url: string,
  secret: string,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  await take(browser, `sign-in-${colorScheme}`, { ...wide, colorScheme }, page => page.goto(url));
  for (const [name, size, at, show] of views)
    await take(browser, `${name}-${colorScheme}`, { ...size, colorScheme }, async page => {
      await page.goto(url + at);
      await signIn(page, secret);
      await openDirectory(page);
      if (at !== '') await page.goBack();
      await show(page);
    });
}

async function signIn(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Admin key').fill(secret);
  await page.keyboard.press('Enter');
}

async function take(
  browser: Browser,
  name: string,
  options: BrowserContextOptions,
  show: (page: Page) => Promise<unknown>,
): Promise<void> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.clock.setFixedTime(NOW);
  await show(page);
  const fullPage = name.startsWith('worklist');
  const picture = await page.screenshot({ fullPage, caret: 'hide', animations: 'disabled' });
  await writeFile(path(`../docs/images/console-${name}.png`), picture);
  await context.close();
}

/** Imports the examples whose names can be rendered; returns an admin key. */
async function fill(store: Store): Promise<string> {
  const examples = await readFile(path('../examples/api-keys.jsonl'), 'utf8');
  const lines = examples.split('\n').filter(line => line && RENDERABLE.test(JSON.parse(line).name));
  const file = join(folder, 'api-keys.jsonl');
  await writeFile(file, lines.join('\n'));
  const secret = AdminKeySecret.issue(VENDOR);
  const organizationId = 'org_example' as OrganizationId;
  const createdAt = timestampOfDate(NOW);
  const writer = await store.openWriter(ACTOR);
  try {
    await writer.createOrganization({ id: organizationId, name: 'Example', createdAt });
    await writer.createAdminKey(
      newAdminKey(secret, { organizationId, scope: null, name: 'screenshots', createdAt }),
    );
    await importFile(writer, { id: organizationId }, file);
  } finally {
    await writer.close();
  }
  return secret.reveal();
}

const folder = await mkdtemp(join(tmpdir(), 'keyroster-screenshots-'));
try {
  await takeAll();
} finally {
  await rm(folder, { recursive: true });
}
