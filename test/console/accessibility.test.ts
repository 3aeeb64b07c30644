import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { violationsIn } from '../support/accessibility.ts';
import { openTab, pagerButton, servedConsole, settled, signedIn, signIn } from '../support/console.ts';
import { rounds } from '../support/rounds.ts';
import { suiteScope } from '../support/scope.ts';
import { numberedKey, numberedKeys } from '../support/seeded-service.ts';

const suite = suiteScope();
const archived = numberedKey(4, { status: 'archived', name: 'x'.repeat(1_000) });
const served = await servedConsole(suite, [...numberedKeys(4), archived]);
const FIRST_PAGE = '?limit=4';

/** Each state of the console: where it is, and what is done there after sign-in. A new view or panel gets a row here. */
const states: readonly (readonly [name: string, address: string, open: (page: Page) => Promise<unknown>])[] =
  [
    ['the roster', FIRST_PAGE, async () => {}],
    [
      'the last page, with exact times',
      '?limit=4&after_id=k3',
      page => page.getByRole('button', { name: 'Exact times' }).click(),
    ],
    ['a filtered list', '?status=active&limit=2#created_from=2020-01-01', async () => {}],
    ['the drawer of a key', '?limit=4&after_id=k3#key=k4', page => page.locator('.record').waitFor()],
    [
      'a key that was found',
      'find',
      async page => {
        await page.getByLabel('Name, ID or hint').fill('igAA');
        await page.keyboard.press('Enter');
        await page.getByText('among 5').waitFor();
      },
    ],
    [
      'a full key that was pasted',
      'find',
      async page => {
        await page
          .getByLabel('Name, ID or hint')
          .fill('sk-ven-api03-R2Dq8mZrT4xVb7Lw1KjYh9NcE5sPaU3fGo6igAA');
        await page.getByText('full key').first().waitFor();
        await page.getByText('among 5').waitFor();
      },
    ],
    ['an empty list', '?workspace_id=wrkspc_none', page => page.getByText('No API key matches').waitFor()],
    ['an error', '?workspace_id=*', page => page.getByRole('alert').waitFor()],
    [
      'the shortcuts',
      FIRST_PAGE,
      async page => {
        await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
        await page.getByRole('dialog').waitFor();
      },
    ],
    [
      'the overview',
      'overview',
      async page => {
        await page.getByText('5 keys, as of').waitFor();
      },
    ],
    [
      'a count that runs',
      'overview',
      async page => {
        await page.getByText('5 keys, as of').waitFor();
        await page.route('**/api_keys?*', () => {});
        await page.getByRole('button', { name: 'Count again' }).click();
        await page.getByRole('progressbar').waitFor();
      },
    ],
  ];

const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: null, forcedColors: 'active' },
} as const;

/** Each look and each width comes; a soak has every one of both (`more-rounds.soak.ts`). */
const inEach = [
  ['light', 1_280],
  ['dark', 360],
  ['forced colours', 360],
] as const;

/** A state is opened once and looked at in each look, because opening it takes longer. */
const seen =
  rounds(1) === 1
    ? inEach
    : (Object.keys(looks) as (keyof typeof looks)[]).flatMap(look => [
        [look, 360] as const,
        [look, 1_280] as const,
      ]);

async function assertAccessible(page: Page, state: string): Promise<void> {
  for (const [look, width] of seen) {
    await page.emulateMedia(looks[look]);
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await violationsIn(page), [], `${state}: ${look}, ${width} px`);
  }
}

test('axe finds no violation in any state, look and width', async t => {
  const page = await openTab(t);
  await page.goto(served.url);
  await assertAccessible(page, 'sign in');
  await page.getByLabel('Admin key').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await assertAccessible(page, 'a wrong key');
  for (const [state, address, open] of states) {
    await page.goto(served.url + address);
    await signIn(page, served.secret);
    await settled(page);
    await open(page);
    await assertAccessible(page, state);
    await page.unrouteAll();
  }
});

test('the console works by keyboard, and turning a page keeps the focus', async t => {
  const page = await openTab(t);
  await page.goto(served.url + FIRST_PAGE);
  const focused = () =>
    page.evaluate('document.activeElement.textContent || document.activeElement.id') as Promise<string>;
  await page.locator('#admin-key:focus').waitFor();
  await page.keyboard.type(served.secret);
  await page.keyboard.press('Enter');
  await settled(page);
  await page.getByRole('button', { name: 'Skip to content' }).press('Enter');
  for (const name of ['Status', 'Workspace', 'Creator', 'Created from']) {
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.labels[0].firstChild.data'), name);
  }
  await pagerButton(page, 'Next').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/after_id/);
  await settled(page);
  assert.equal(await focused(), 'Next');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(served.url + FIRST_PAGE);
});

test('no view is wider than its screen', async t => {
  const page = await signedIn(t, served, { at: FIRST_PAGE });
  const assertFits = async (view: string) => {
    for (const width of [360, 768, 1_280, 3_840]) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.equal(over, 0, `${view} on ${width} px`);
    }
  };
  await assertFits('the first page');
  await pagerButton(page, 'Next').click();
  await page.waitForURL(/after_id/);
  await settled(page);
  await assertFits('the last page');
  await page.locator('.open').first().click();
  await page.getByRole('dialog').waitFor();
  await assertFits('the drawer');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText('5 keys, as of').waitFor();
  await assertFits('the overview');
});
