import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKey } from '../../../src/roster/api-key.ts';
import type { DeclaredValue } from '../../../src/roster/declared-fields.ts';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../src/roster/identifier.ts';
import type { NewField } from '../../../src/roster/new-field.ts';
import type { PartialKeyHint } from '../../../src/roster/partial-key-hint.ts';
import { servedConsole, signedIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const suite = suiteScope();
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

async function servedWith(count: number) {
  const served = await servedConsole(suite, keys);
  const declared: { field: Awaited<ReturnType<typeof served.writer.addField>>; value: DeclaredValue }[] = [];
  for (const [field, value] of columns.slice(0, count))
    declared.push({ field: await served.writer.addField(field), value });
  await served.writer.putApiKeys(
    served.organization,
    keys.map((key): ApiKey => ({ ...key, declared })),
  );
  return served;
}

/** The headings and the cells of the first row that have text which isn't seen. */
const cutIn = (page: Page) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll('thead tr, tbody tr:first-child')].flatMap(row => [...row.children])
      .filter(cell => [cell, ...cell.querySelectorAll('*')].some(part => part.scrollWidth > part.clientWidth + 1
        && getComputedStyle(part).overflowX !== 'visible' && !part.matches('.creator-type')))
      .map(cell => cell.dataset.label ?? cell.textContent)`);

/** Whether the first element of this selector has nothing over its beginning. */
const seesFirst = (page: Page, selector: string) =>
  page.evaluate<boolean>(`(() => {
    const first = document.querySelector('${selector}');
    const { left, top, height } = first.getBoundingClientRect();
    return first.contains(document.elementFromPoint(left + 5, top + height / 2));
  })()`);

/** In CSS pixels, without margins of 1 cm. */
const A4_IN_LANDSCAPE = 1_047;

/** Few rows fit, and the head still stays in sight. */
const LOW = 500;

const MAY_BE_CUT = ['Exporter of invoices, region 0', 'ID', 'Workspace', 'Creator', 'Note'];

for (const count of [0, 1, 5]) {
  const served = await servedWith(count);
  test(`with ${count} declared fields the first row is seen, and no date, number, hint or status is cut, on any screen`, async t => {
    const page = await signedIn(t, served, { at: '?limit=50' });
    for (const width of [1_024, 1_280, 1_440, 1_920, 2_560]) {
      await page.setViewportSize({ width, height: LOW });
      assert.deepEqual(
        (await cutIn(page)).filter(cell => !MAY_BE_CUT.includes(cell)),
        [],
        `${width} px`,
      );
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        0,
        `${width} px`,
      );
      await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)');
      assert(await seesFirst(page, '.open'), `${width} px: the first row is covered`);
      // Down to rows below the screen, and back up to one that the head would cover.
      for (let step = 0; step < 15; step += 1) await page.keyboard.press('j');
      for (let step = 0; step < 10; step += 1) await page.keyboard.press('k');
      assert(await seesFirst(page, ':focus'), `${width} px: the focus is on a row that is covered`);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.locator('.open').nth(40).focus();
    assert(await seesFirst(page, 'th'), 'the head does not stay in sight on the way down');
  });

  test(`with ${count} declared fields 50 keys are readable on at most four pages of paper, IDs and hints whole`, async t => {
    const page = await signedIn(t, served, {
      at: '?limit=50',
      viewport: { width: A4_IN_LANDSCAPE, height: 700 },
    });
    await page.emulateMedia({ media: 'print' });
    assert.deepEqual(
      (await cutIn(page)).filter(cell => cell !== 'Note'),
      [],
    );
    const widths = await page.evaluate<number[]>(
      "[...document.querySelectorAll('th')].map(cell => cell.getBoundingClientRect().width)",
    );
    assert(Math.min(...widths) > 35, `${widths}`);
    const margin = { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' };
    const file = await page.pdf({ format: 'A4', preferCSSPageSize: true, margin });
    const pages = file.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert(pages > 0 && pages <= 4, `${pages} pages`);
  });
}

test('a screen that has the room shows IDs whole', async t => {
  const page = await signedIn(t, await servedWith(1), { viewport: { width: 2_560, height: 1_440 } });
  assert.deepEqual(await cutIn(page), []);
});
