import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTimestamp } from '../../../src/shared/record/timestamp.ts';
import { names, openMenu, openWorklist, servedConsole, settled, signedIn } from '../../support/console.ts';
import { lifecycleFields, lifecycleKeys } from '../../support/lifecycle-keys.ts';
import { importKeys, now } from '../../support/roster.ts';
import { suiteScope } from '../../support/scope.ts';

const COUNT = 200;
const DAY = 86_400_000_000n;
const served = await servedConsole(suiteScope(), []);
for (const field of lifecycleFields) await served.writer.addField(field);
const keys = lifecycleKeys(COUNT);
await importKeys(served.writer, served.organization, keys);
const active = keys
  .filter(({ status }) => status === 'active')
  .map(({ name, createdAt, declared }) => {
    const [expires, used] = (declared ?? []).map(({ value }) => parseTimestamp(value));
    return { name, createdAt, expires, used: used ?? createdAt };
  });
const isPast = ({ expires }: (typeof active)[number]) => expires !== undefined && expires <= now();
const namesWhere = (passes: (key: (typeof active)[number]) => boolean) =>
  active.filter(passes).map(({ name }) => name);

test('a list is sorted by age, last use and expiry, the oldest first, by a click on the heading, and back', async t => {
  const page = await signedIn(t, served, {
    at: '?status=active&limit=50',
    viewport: { width: 1280, height: 800 },
  });
  const last = 2n ** 62n;
  for (const [heading, timeOf] of [
    ['Created', ({ createdAt }) => createdAt],
    ['Last used at', ({ used, createdAt }) => (used > createdAt ? used : createdAt)],
    ['Expires at', ({ expires }) => expires ?? last],
  ] as const satisfies (readonly [string, (key: (typeof active)[number]) => bigint])[]) {
    const column = page.getByRole('columnheader', { name: heading });
    await column.getByRole('link').click();
    await page.locator('[aria-sort=ascending]').and(column).waitFor();
    await page.getByText(`The first 50 of ${active.length} keys`).waitFor();
    const byTime = (a: (typeof active)[number], b: (typeof active)[number]) =>
      Number(timeOf(a) / 1_000n - timeOf(b) / 1_000n) || Number(a.createdAt - b.createdAt);
    assert.deepEqual(
      await names(page),
      active
        .toSorted(byTime)
        .slice(0, 50)
        .map(({ name }) => name),
      heading,
    );
  }
  await page.getByRole('columnheader', { name: 'Expires at' }).getByRole('link').click();
  await page.waitForURL(/roster\?status=active&limit=50$/);
  await settled(page);
  assert.deepEqual(await names(page), namesWhere(() => true).slice(0, 50));
});

test('keys are filtered by when they expire and how long they are unused, and expired ones are told apart', async t => {
  const page = await signedIn(t, served, { at: '?limit=1000' });
  await openMenu(page);
  await page.getByLabel('Expires within').selectOption('30 days');
  await page.waitForURL(/#expires_within=30d$/);
  await settled(page);
  const soon = namesWhere(
    key => key.expires !== undefined && !isPast(key) && key.expires <= now() + 30n * DAY,
  );
  assert.deepEqual(await names(page), soon);
  assert.deepEqual(new Set(await page.locator('.badge').allTextContents()), new Set(['active']));
  await page.getByRole('button', { name: 'Remove filter: expiring within 30 days' }).click();
  await openMenu(page);
  await page.getByLabel('Unused for').selectOption('90 days');
  await page.waitForURL(/#unused_for=90d$/);
  await settled(page);
  const unused = namesWhere(({ used }) => used < now() - 90n * DAY);
  assert.deepEqual(await names(page), unused);

  const expired = namesWhere(isPast);
  await openWorklist(page, COUNT);
  await page.getByRole('link', { name: `${expired.length} active, but past their expiry` }).click();
  await settled(page);
  assert.deepEqual(await names(page), expired.slice(0, 20));
  await page.getByRole('link', { name: 'Worklist' }).click();
  await page.getByRole('link', { name: `${soon.length} active, expiring within 30 days` }).click();
  await settled(page);
  assert.deepEqual(await names(page), soon.slice(0, 20));
  await page.goBack();
  await page.getByRole('link', { name: `${expired.length} active, but past their expiry` }).click();
  await settled(page);
  assert.deepEqual(new Set(await page.locator('.badge').allTextContents()), new Set(['expired']));
  await page.getByRole('link', { name: expired[0] ?? '', exact: true }).click();
  assert.equal(await page.getByRole('dialog').locator('.badge').textContent(), 'expired');
  await page.getByText('  expired, created').waitFor();
});
