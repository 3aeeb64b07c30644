import assert from 'node:assert/strict';
import { test } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { enter, openTab, pickFile, press, servedConsole, signIn, visit } from '../support/console.ts';
import { rounds } from '../support/rounds.ts';
import { suiteScope } from '../support/scope.ts';
import { numberedKey, numberedKeys } from '../support/seeded-service.ts';

const archived = numberedKey(4, { status: 'archived', name: 'x'.repeat(1_000) });
/** Two of one long name. */
const named = numberedKeys(4).map((key, index) =>
  index < 2 ? { ...key, name: `Invoice reconciliation ${'of the production cluster '.repeat(3)}` } : key,
);
const served = await servedConsole(suiteScope(), [...named, archived]);
const KEY = 'sk-ven-api03-R2Dq8mZrT4xVb7Lw1KjYh9NcE5sPaU3fGo6igAA';

async function find(page: Page, text: string, shown = text): Promise<void> {
  await enter(page, 'Name, ID or hint', text);
  await page.getByText(`found for ${shown} among 5`).waitFor();
}

/** Each state of the console: where it is, and what is done there. A new view or panel gets a row here. */
const states: readonly (readonly [name: string, address: string, open: (page: Page) => Promise<unknown>])[] =
  [
    ['the roster', '?limit=4', async () => {}],
    ['the last page', '?limit=4&after_id=k3', async () => {}],
    ['a filtered list', '?status=active&created_from=2020-01-01&limit=2', async () => {}],
    ['a sorted list', '?limit=2#oldest_by=created_at', page => page.getByText('The first 2 of 5').waitFor()],
    ['an empty list', '?workspace_id=wrkspc_none', page => page.getByText('No API key matches').waitFor()],
    ['an error', '?after_id=elsewhere', page => page.getByRole('alert').waitFor()],
    [
      'the worklist, and a file that can not be used',
      './',
      async page => {
        await page.getByText('of 5 keys break a policy').waitFor();
        await pickFile(page, 'nme,team\nAda,Search\n');
        await page.getByRole('alert').waitFor();
      },
    ],
    [
      'the worklist with names, and the message to a person',
      './',
      async page => {
        await pickFile(page, 'id,name,team,left_on\nuser_0,Ada,Search,\nuser_1,Bo,Data,2026-01-01\n');
        await page.getByText('of 5 keys break a policy').waitFor();
        await page.getByRole('button', { name: 'Message', exact: true }).first().click();
        await page.getByRole('button', { name: 'Copy message' }).waitFor();
      },
    ],
    [
      'a file that can not be used',
      './',
      async page => {
        await pickFile(page, 'id,partial_key_hint\n');
        await page.getByText('is a saved roster').waitFor();
      },
    ],
    ['the finder', 'find', async () => {}],
    ['a key that was found', 'find', page => find(page, 'igAA')],
    ['a full key that was pasted', 'find', page => find(page, KEY, 'sk-ven-api03-R2D...igAA')],
    ['what was not found', 'find', page => find(page, 'y'.repeat(300))],
    ['the drawer of a key', '?limit=4&after_id=k3#key=k4', page => page.locator('.record').waitFor()],
    [
      'a count that runs',
      './',
      async page => {
        await page.keyboard.press('Escape');
        await page.route('**/api_keys?*', () => {});
        await press(page, 'Count again');
        await page.getByRole('progressbar').waitFor();
      },
    ],
  ];

const looks = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colours': { colorScheme: null, forcedColors: 'active' },
} as const;

/** Each state has the next one of these. A soak has every look on each width (`more-rounds.soak.ts`). */
const inTurn = [
  ['light', 1_280],
  ['dark', 360],
] as const;
const everyLook = (Object.keys(looks) as (keyof typeof looks)[]).flatMap(look => [
  [look, 360] as const,
  [look, 1_280] as const,
]);
let turn = 0;
const nextLooks = () => (rounds(1) === 1 ? inTurn.filter((_, index) => index === turn) : everyLook);

/** What passes is told without details, as collecting them takes longer than the checks. */
const RUN = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";

/** What axe finds wrong in the page as it is: the rule, and the elements that break it. */
async function violationsIn(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const violations = await page.evaluate<axe.Result[]>(RUN);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`);
}

async function assertAccessible(page: Page, state: string): Promise<void> {
  turn = 1 - turn;
  for (const [look, width] of nextLooks()) {
    await page.emulateMedia(looks[look]);
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await violationsIn(page), [], `${state}: ${look}, ${width} px`);
  }
  for (const width of [360, 768, 1_280, 3_840]) {
    await page.setViewportSize({ width, height: 800 });
    const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    assert.equal(over, 0, `${state} is wider than ${width} px`);
  }
}

test('axe finds no violation in any state, and no state is wider than its screen', async t => {
  const page = await openTab(t);
  await page.goto(served.url);
  await assertAccessible(page, 'sign in');
  await enter(page, 'Admin key', 'wrong');
  await page.getByRole('alert').waitFor();
  await assertAccessible(page, 'a wrong key');
  await signIn(page, served.secret);
  for (const [state, address, open] of states) {
    await visit(page, served, address);
    await open(page);
    await assertAccessible(page, state);
  }
});
