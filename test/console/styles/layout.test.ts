import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { DeclaredValue } from '../../../src/service/roster/declared-fields.ts';
import type { NewField } from '../../../src/service/roster/writes/new-field.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import { pickFile, servedConsole, signedIn, signInAgain } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

/** As long as vendors make them. */
const keys = Array.from({ length: 50 }, (_, number) =>
  numberedKey(number, {
    id: `apikey_01Rj2N8SVvo6BePZj99Nhm${100 + number}` as ApiKeyId,
    name: `Exporter of invoices, region ${number}`,
    createdBy: { id: `svac_01WCz1FkmYMm4gnmykNK${1_000 + number}` as CreatorId, type: 'service_account' },
    workspaceId: 'wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ' as WorkspaceId,
    partialKeyHint: `sk-acme-api03-${300 + number}...v9Iy` as PartialKeyHint,
  }),
);
const columns: readonly (readonly [NewField, DeclaredValue])[] = [
  [{ name: 'last_used_at', type: { kind: 'timestamp' } }, '2026-10-30T23:58:27.427722Z'],
  [{ name: 'calls', type: { kind: 'integer' } }, 2_121_187_654],
  [{ name: 'budget_in_cents_of_a_month', type: { kind: 'integer' } }, -9_007_199_254_740_991],
  [{ name: 'expires_at', type: { kind: 'timestamp' } }, '2027-10-30T23:58:27.427722Z'],
  [
    { name: 'note', type: { kind: 'text', max_length: 200 } },
    'Ask the team of the billing first. '.repeat(5),
  ],
];
const suite = suiteScope();
const plain = await servedConsole(suite, keys);
const wide = await servedConsole(suite, keys);
const declared: { field: Awaited<ReturnType<typeof wide.writer.addField>>; value: DeclaredValue }[] = [];
for (const [field, value] of columns) declared.push({ field: await wide.writer.addField(field), value });
await wide.writer.putApiKeys(
  wide.organization,
  keys.map((key): ApiKey => ({ ...key, declared })),
);
const LIST = '?limit=50';

const highest = async (page: Page) =>
  Math.max(
    ...(await page.evaluate<number[]>(
      "[...document.querySelectorAll('tbody tr')].map(row => row.getBoundingClientRect().height)",
    )),
  );
const overWidth = (page: Page) => page.evaluate('document.documentElement.scrollWidth - innerWidth');

/** The headings and the cells of the first row that have text which isn't seen. */
const cutIn = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('thead tr, tbody tr:first-child')].flatMap(row => [...row.children])
      .filter(cell => [cell, ...cell.querySelectorAll('*')].some(part => part.scrollWidth > part.clientWidth + 1
        && getComputedStyle(part).overflowX !== 'visible'))
      .map(cell => document.querySelectorAll('th')[cell.cellIndex].textContent)`);
const MAY_BE_CUT = ['Name', 'ID', 'Workspace', 'Creator', 'Note'];

/** The texts that leave their row. */
const outsideIn = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('tbody tr')].flatMap(row => {
      const { right } = row.getBoundingClientRect();
      return [...row.querySelectorAll('td')].filter(cell => {
        const shown = document.createRange();
        shown.selectNodeContents(cell);
        const cut = getComputedStyle(cell).overflowX !== 'visible';
        return (cut ? cell : shown).getBoundingClientRect().right > right + 1;
      }).map(cell => cell.textContent);
    })`,
  );

/** Whether the cells of the last column are where its heading is. */
const IS_TABLE = `new Set([...document.querySelectorAll('tr > :last-child')]
  .map(cell => cell.getBoundingClientRect().left)).size === 1`;

/** In CSS pixels, without margins of 1 cm. */
const A4_IN_LANDSCAPE = 1_047;

for (const [what, served] of [
  ['without declared fields', plain],
  ['with five declared fields', wide],
] as const)
  test(`a table ${what} has its keys readable on any screen and on paper`, async t => {
    const page = await signedIn(t, served, { at: LIST });
    for (const width of [961, 1_280, 2_560]) {
      await page.setViewportSize({ width, height: 800 });
      const cut = (await cutIn(page)).filter(cell => !MAY_BE_CUT.includes(cell));
      assert.deepEqual(cut, [], `${width} px`);
      assert.equal(await overWidth(page), 0, `${width} px`);
      assert((await highest(page)) <= 48, `${width} px: a row is not one line high`);
    }
    for (const width of [320, 768]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await outsideIn(page), [], `${width} px`);
      assert.equal(await overWidth(page), 0, `${width} px`);
    }
    await page.setViewportSize({ width: A4_IN_LANDSCAPE, height: 700 });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    assert.deepEqual(
      (await cutIn(page)).filter(cell => cell !== 'Note'),
      [],
      'on paper',
    );
    assert.equal(
      await page.locator('button:visible, input:visible, select:visible, header:visible').count(),
      0,
      'controls are printed',
    );
    assert.equal(await page.evaluate(IS_TABLE), true, 'no cells below their headings');
    const scheme = await page.evaluate('getComputedStyle(document.documentElement).colorScheme');
    assert.equal(scheme, 'light', 'a dark console prints light on dark');
  });

test('on paper a long name leaves the other columns their room', async t => {
  const page = await signedIn(t, wide, { at: LIST, viewport: { width: A4_IN_LANDSCAPE, height: 700 } });
  const widthOnPaper = async () => {
    await page.emulateMedia({ media: 'print' });
    const box = await page.locator('tbody .of-created_at').first().boundingBox();
    await page.emulateMedia({ media: 'screen' });
    return box?.width ?? 0;
  };
  const before = await widthOnPaper();
  const longest = { ...(keys[0] as ApiKey), name: 'long '.repeat(200), declared };
  await wide.writer.putApiKeys(wide.organization, [longest]);
  await signInAgain(page, wide);
  await page.getByText('long long').first().waitFor();
  const after = await widthOnPaper();
  assert(after > 0.8 * before, `${before} px became ${after}`);
});

test('on a phone a key has two lines, below four controls', async t => {
  const page = await signedIn(t, plain, { at: `${LIST}&status=active` });
  await page.setViewportSize({ width: 360, height: 740 });
  const [first, second] = await Promise.all(
    [0, 1].map(async row => (await page.locator('.open').nth(row).boundingBox())?.y ?? 0),
  );
  assert(first && first < 240, `the first key is at ${first}`);
  assert(second && second - first < 64, `a key has more than two lines: ${second} - ${first}`);
  for (const hidden of ['.of-workspace_id', '.of-id'])
    assert.equal(await page.locator(hidden).last().isVisible(), false);
  const inSight = page
    .locator('main')
    .locator('select, input, button, summary')
    .and(page.locator(':visible'));
  const above = await Promise.all(
    (await inSight.all()).map(async each => ((await each.boundingBox())?.y ?? 0) < first),
  );
  // the chip of the filter beside them
  assert.equal(above.filter(Boolean).length, 4 + 1, 'more than four controls above the table');
  await page.getByLabel('Status', { exact: true }).selectOption('inactive');
  await page.waitForURL(/status=inactive/);
});

test('on a phone each person of the worklist has a line of their own, above their team', async t => {
  const page = await signedIn(t, plain, { at: './', viewport: { width: 390, height: 844 } });
  const people = keys.map(({ createdBy: { id } }, index) => `${id},Bo Example ${index},Developer Experience`);
  await pickFile(page, '{"policies":[{"name":"names","rule":"name-pattern","patterns":["-"]}]}');
  await pickFile(page, ['id,name,team', ...people].join('\n'));
  await page.getByText('Bo Example').first().waitFor();
  const row = page.locator('.people .number-row').first();
  const [name, message] = await Promise.all(
    [row.locator('.number'), row.getByRole('button')].map(each => each.boundingBox()),
  );
  assert(name && message && message.y < name.y + name.height, 'the button is below the name');
  const [label, team] = await Promise.all(
    [row.locator('.person'), row.getByText('Developer Experience')].map(each => each.boundingBox()),
  );
  assert(label && team && team.y >= label.y + label.height, 'the name is covered by its team');
});
