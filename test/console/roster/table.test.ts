import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { DeclaredValue } from '../../../src/service/roster/declared-fields.ts';
import type { NewField } from '../../../src/service/roster/writes/new-field.ts';
import type { CreatorId } from '../../../src/shared/record/identifier.ts';
import { parseTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import {
  names,
  openTab,
  press,
  servedConsole,
  settled,
  signedIn,
  signIn,
  visit,
} from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const suite = suiteScope();

/** A name, and what is shown of it. */
const cases: readonly (readonly [name: string, shown: string])[] = [
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['line\nfeed\ttab\u0007bell', 'line\nfeed\ttabU+0007bell'],
  ['\u200b\u2060\ufeff', 'U+200BU+2060U+FEFF'],
  ['\u202e'.repeat(1_000), 'U+202E × 200…'],
  ['   ', 'U+0020 × 3'],
  ['\u2800', 'U+2800'],
  ['\u202egnp.exe\u202c', 'U+202Egnp.exeU+202C'],
  ['pay\u00adpal', 'payU+00ADpal'],
  ['خدمة العملاء (إنتاج) 12', 'خدمة العملاء (إنتاج) 12'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👩‍👩‍👧‍👦 ❤️', '👩‍👩‍👧‍👦 ❤️'],
  ['x'.repeat(1_000), `${'x'.repeat(200)}…`],
  [`x${'👩'.repeat(400)}`, `x${'👩'.repeat(99)}…`],
];
const blanks = ['', ''];
const long = `${'x'.repeat(500)}${'\u202e'.repeat(250)}${'\u202c'.repeat(250)}`;
const named = await servedConsole(
  suite,
  [...cases.map(([name]) => name), ...blanks, long].map((name, number) => numberedKey(number, { name })),
);

test('every name is shown as text within its row, with each hidden character by its number', async t => {
  const page = await signedIn(t, named, { at: '?limit=50', viewport: { width: 1_280, height: 900 } });
  page.on('dialog', dialog => assert.fail(`a name ran as a script: ${dialog.message()}`));
  const shown = await names(page);
  for (const [index, [, expected]] of cases.entries()) assert.equal(shown[index], expected);
  assert.deepEqual((await page.locator('.open').allInnerTexts()).slice(cases.length, -1), [
    'no name',
    'no name',
  ]);
  assert.equal(await page.locator('main img, main script, .name svg').count(), 0);
  // A text direction that a name opens and doesn't close ends with the name.
  const directions = await page.evaluate<string[]>(
    "[...document.querySelectorAll('td .mono')].map(id => getComputedStyle(id).direction)",
  );
  assert.deepEqual(new Set(directions), new Set(['ltr']));
  await visit(page, named, `?limit=50#key=k${cases.length + blanks.length}`);
  assert.equal(
    await page.locator('.record .name').textContent(),
    `${'x'.repeat(500)}U+202E × 250U+202C × 250`,
    'the drawer has not all of a name',
  );
});

const fields: readonly (readonly [NewField, DeclaredValue])[] = [
  [{ name: 'last_used_at', type: { kind: 'timestamp' } }, '2024-10-30T23:58:27.427722Z'],
  [{ name: 'calls', type: { kind: 'integer' } }, -7],
  [{ name: 'note', type: { kind: 'text', max_length: 50 } }, '=<b>1</b>'],
];
const creators = (['user', 'service_account'] as const).map(type => ({ id: 'same' as CreatorId, type }));
const served = await servedConsole(
  suite,
  creators.map((createdBy, number) => numberedKey(number, { createdBy })),
);
const declared = [];
for (const [field, value] of fields) declared.push({ field: await served.writer.addField(field), value });
const createdAt = parseTimestamp('2024-10-30T23:58:27.427722Z') as Timestamp;
const oldest = numberedKey(2, {
  createdAt,
  declared,
  createdBy: { id: 'svac_1' as CreatorId, type: 'user' },
});
await served.writer.putApiKeys(served.organization, [oldest]);

const cellsOf = async (page: Page, name: string) => {
  const row = page.getByRole('row').filter({ hasText: name });
  return (await row.getByRole('cell').allInnerTexts()).map(text => text.replaceAll('\n', ' ').trim());
};

test('a row has the fields of its key, times as ages, declared fields, and what only a newer service has', async t => {
  const page = await openTab(t);
  await page.clock.setFixedTime('2026-12-29T00:00:00Z');
  await page.goto(`${served.url}roster`);
  await signIn(page, served.secret);
  await settled(page);
  const headings = await page.getByRole('columnheader').allInnerTexts();
  const all = ['Name', 'Hint', 'Status', 'Workspace', 'Creator', 'Created', 'Last used at', 'Calls', 'Note'];
  assert.deepEqual(headings, all);
  const key = ['Key 2', 'sk-ven-api03-R2D...igAA', 'active', 'wrkspc_2', 'svac_1'];
  assert.deepEqual(await cellsOf(page, 'Key 2'), [...key, '789 days ago', '789 days ago', '-7', '=<b>1</b>']);
  assert.deepEqual((await cellsOf(page, 'Key 1')).slice(4, 5), ['same service']);
  assert.deepEqual((await cellsOf(page, 'Key 1')).slice(6), ['none', 'none', 'none']);
  const exact = '2024-10-30 23:58:27.427722 UTC';
  const time = page.getByRole('row').filter({ hasText: 'Key 2' }).locator('time').first();
  assert.equal(await time.getAttribute('title'), exact);
  await page.route('**/v1/organizations/api_keys*', async route => {
    const answer = await route.fetch();
    const { data, ...rest } = await answer.json();
    const newer = { status: 'suspended', created_by: { id: 'robot_1', type: 'robot' }, scopes: null };
    const changed = data.map((key: object, index: number) => (index === 0 ? { ...key, ...newer } : key));
    await route.fulfill({ response: answer, json: { ...rest, data: changed } });
  });
  await press(page, 'Reload');
  await page.locator('.badge', { hasText: 'suspended' }).waitFor();
  await page.getByText('robot', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByRole('link', { name: '1 suspended' }).waitFor();
});
