import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ApiKeyId, CreatorId, WorkspaceId } from '../../../src/roster/identifier.ts';
import type { PartialKeyHint } from '../../../src/roster/partial-key-hint.ts';
import { violationsIn } from '../../support/accessibility.ts';
import { fillOnceThere, openTab, servedConsole, signIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const idOf = (number: number) => `apikey_${String(number).padStart(24, '0')}` as ApiKeyId;
const hintOf = (number: number) =>
  `sk-ven-api03-R${number % 10}D...ig${String(number).padStart(2, '0').slice(-2)}`;
/** Every hint is that of a few keys. */
const keys = Array.from({ length: 2_500 }, (_, number) =>
  numberedKey(number, {
    id: idOf(number),
    name: number === 1_200 ? 'Übersicht für Berlin' : `Key ${number}`,
    partialKeyHint: (number === 1_300 ? 'sk-ven-api03-ZZZ...last' : hintOf(number)) as PartialKeyHint,
  }),
);
const suite = suiteScope();
const served = await servedConsole(suite, keys);

type Scope = Parameters<typeof openTab>[0];

async function finder(scope: Scope, { url, secret } = served): Promise<Page> {
  const page = await openTab(scope);
  await page.goto(`${url}find`);
  // What the IDs look like is known after this.
  const sample = page.waitForResponse(/limit=100/);
  await signIn(page, secret);
  await sample;
  await page.getByRole('heading', { name: 'Find a key' }).waitFor();
  return page;
}

async function find(page: Page, text: string): Promise<void> {
  await page.getByLabel('Name, ID or hint').fill(text);
  await page.keyboard.press('Enter');
}

const rows = (page: Page) => page.locator('.api-keys tbody tr');
const listRequests = (page: Page) => {
  const queries: string[] = [];
  page.on('request', request => {
    const url = new URL(request.url());
    if (url.pathname.endsWith('/api_keys')) queries.push(url.search);
  });
  return queries;
};

test("a key is found by a part of its name, which is marked and isn't in any address", async t => {
  const page = await finder(t);
  const queries = listRequests(page);
  await find(page, 'ÜBER');
  await page.getByText('among 2,500.').waitFor();
  assert.equal(await rows(page).locator('mark').textContent(), 'Über');
  assert.equal(page.url(), `${served.url}find`);
  assert.deepEqual(
    queries.map(query => new URLSearchParams(query).get('limit')),
    ['1000', '1000', '1000'],
  );
  await rows(page).getByRole('link', { name: 'Übersicht für Berlin' }).click();
  await page.locator('.keys[aria-busy=false]').waitFor();
  assert.equal(page.url(), `${served.url}?after_id=${idOf(1_199)}#key=${idOf(1_200)}`);
  await page.getByRole('dialog').waitFor();
  assert.match(
    (await page.locator('.api-keys tbody tr').first().textContent()) ?? '',
    /Übersicht für Berlin/,
  );
});

test('what is in the field before its first frame is painted stays there', async t => {
  const page = await openTab(t);
  await fillOnceThere(page, '#find', 'Key');
  await page.goto(`${served.url}find`);
  const sample = page.waitForResponse(/limit=100/); // is requested behind the first frame
  await signIn(page, served.secret);
  await sample;
  assert.equal(await page.getByLabel('Name, ID or hint').inputValue(), 'Key');
});

test('an ID goes straight to its place, by two requests of one key', async t => {
  const page = await finder(t);
  const queries = listRequests(page);
  await find(page, idOf(1_300));
  await page.getByText('Created by user user_0 on').waitFor();
  assert.deepEqual(queries, [`?before_id=${idOf(1_300)}&limit=1`, `?after_id=${idOf(1_299)}&limit=1`]);
  assert.equal(await rows(page).count(), 1);
  await find(page, idOf(0));
  await page.getByRole('cell', { name: 'Key 0' }).waitFor();
  assert.equal(
    await page.getByRole('link', { name: 'Show it in the roster' }).getAttribute('href'),
    `./#key=${idOf(0)}`,
    'the newest key is on the first page',
  );
});

test('an ID of a creator or a workspace is said to be one, leads to its keys, and is not taken for a key', async t => {
  const creator = 'user_01uWAr3fivZyBp1w04vQuwdk';
  const unseen = 'user_01xWAr3fivZyBp1w04vQuwdk';
  const workspace = 'wrkspc_01uWAr3fivZyBp1w04vQuwdk';
  const roster = keys.slice(0, 3).map(key => ({
    ...key,
    createdBy: { id: creator as CreatorId, type: 'user' as const },
    workspaceId: workspace as WorkspaceId,
  }));
  const own = await servedConsole(t, roster);
  const page = await finder(t, own);
  await page.locator('#find-note code').waitFor();
  const queries = listRequests(page);
  for (const [id, said, link, address] of [
    [creator, 'This is the ID of a creator:', 'Keys of this creator', `created_by_user_id=${creator}`],
    [unseen, 'This looks like the ID of a creator:', 'Keys of this creator', `created_by_user_id=${unseen}`],
    [workspace, 'This is the ID of a workspace:', 'Keys of this workspace', `workspace_id=${workspace}`],
  ] as const) {
    await find(page, id);
    await page.getByText(said).waitFor();
    assert.equal(await page.getByLabel('Name, ID or hint').inputValue(), id);
    assert.equal(await page.getByRole('link', { name: link }).getAttribute('href'), `./?${address}`);
  }
  assert.deepEqual(queries, []);
  await page.getByRole('button', { name: 'Look for it among all keys' }).click();
  await page.getByText('3 keys found for').waitFor();
  await page.getByRole('link', { name: 'Keys of this workspace' }).click();
  await page.locator('.keys[aria-busy=false]').waitFor();
  assert.equal(page.url(), `${own.url}?workspace_id=${workspace}`);
});

test('an ID of a creator that only an older key has is found among all keys', async t => {
  const creator = '0b8bd1b0-1f0e-4b8e-8d4c-0f6f3b0a3f11';
  const own = await servedConsole(t, [
    ...keys.slice(0, 150),
    numberedKey(150, { id: idOf(150), createdBy: { id: creator as CreatorId, type: 'user' } }),
  ]);
  const page = await finder(t, own);
  await page.locator('#find-note code').waitFor();
  await find(page, creator);
  await page.getByText('This looks like the ID of a creator:').waitFor();
  assert.equal(
    await page.getByRole('link', { name: 'Keys of this creator' }).getAttribute('href'),
    `./?created_by_user_id=${creator}`,
  );
  assert.equal(await page.locator('.lead').count(), 1, 'it is not said of the key that it leaked');
});

test('an unknown ID is said to be one, and may be looked for in names', async t => {
  const page = await finder(t);
  await find(page, idOf(9_999));
  await page.getByText(`No key of this organization has the ID ${idOf(9_999)}.`).waitFor();
  await page.getByRole('button', { name: 'Look for it in names' }).click();
  await page.getByText('0 keys found for').waitFor();
  await page.getByText('No key of this organization has this in its name').waitFor();
});

test('a hint finds its key, with what a person with a leaked key has to know first', async t => {
  const page = await finder(t);
  await find(page, '…last');
  await page.getByText('among 2,500.').waitFor();
  const date = new Date(Date.now() - 1_300 * 86_400_000).toISOString().slice(0, 7);
  const summary = (await page.locator('.lead').textContent()) ?? '';
  assert.match(
    summary,
    new RegExp(`^Active Key 1300\\. Created by user user_0 on ${date}-\\d\\d in the default workspace\\.`),
  );
  assert.equal(await rows(page).locator('mark').textContent(), 'sk-ven-api03-ZZZ...last');
});

test('the last four characters alone give the same where they are of few keys, also when more have them in their names', async t => {
  const named = (number: number) =>
    numberedKey(number, {
      id: idOf(number),
      name: `Key last ${number}`,
      partialKeyHint: hintOf(number) as PartialKeyHint,
    });
  const roster = [...keys.slice(0, 10), ...Array.from({ length: 600 }, (_, index) => named(10 + index))];
  const own = await servedConsole(t, [...roster, { ...(keys[1_300] as (typeof keys)[number]) }]);
  const lastUsed = await own.writer.addField({ name: 'last_used_at', type: { kind: 'timestamp' } });
  await own.writer.putApiKeys(own.organization, [
    {
      ...(keys[1_300] as (typeof keys)[number]),
      declared: [{ field: lastUsed, value: '2026-11-01T02:03:04.000000Z' }],
    },
  ]);
  const page = await finder(t, own);
  await find(page, 'last');
  await page.getByText('among 611.').waitFor();
  const verdict = page.locator('.lead');
  assert.equal(await verdict.count(), 1);
  assert.match((await verdict.textContent()) ?? '', /^Active Key 1300\. Created by user user_0 on /);
  assert.match((await verdict.textContent()) ?? '', /last_used_at 2026-11-01/);
  await page.getByRole('columnheader', { name: 'Last used at' }).waitFor();
  await verdict.getByRole('link', { name: 'Keys of this creator' }).click();
  await page.locator('.keys[aria-busy=false]').waitFor();
  assert.equal(page.url(), `${own.url}?created_by_user_id=user_0`);
});

test('a hint that shows as much as a short key is no key, and finds its key', async t => {
  const hints = Array.from({ length: 5 }, (_, number) => `sk_live_a1B2c3D4e5F6g${number}...wxy${number}`);
  const roster = hints.map((hint, number) => numberedKey(number, { partialKeyHint: hint as PartialKeyHint }));
  const page = await finder(t, await servedConsole(t, roster));
  await find(page, hints[2] ?? '');
  await page.getByText(`1 key found for ${hints[2]} among 5.`).waitFor();
});

test('more than one key with a hint is told', async t => {
  const page = await finder(t);
  await find(page, hintOf(7));
  await page.getByText(`25 keys found for ${hintOf(7)} among 2,500.`).waitFor();
  await page.getByText('More than one key fits:').waitFor();
});

test('more than 500 keys are counted, and the newest 500 listed, a hundred at a time', async t => {
  const page = await finder(t);
  await find(page, 'key');
  await page.getByText('2,499 keys found for key among 2,500. The newest 500 of them are listed.').waitFor();
  for (const shown of [100, 200, 300, 400]) {
    assert.equal(await rows(page).count(), shown);
    await page.getByRole('button', { name: 'Show more' }).click();
  }
  assert.equal(await rows(page).count(), 500);
  assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
});

test('a search shows what it finds as it goes, is stopped, left, and goes on where it was', async t => {
  const page = await finder(t);
  const queries = listRequests(page);
  const busy = { type: 'error', error: { type: 'overloaded_error', message: 'busy' }, request_id: null };
  await page.route(/after_id=/, route =>
    route.fulfill({ status: 503, headers: { 'retry-after': '60' }, json: busy }),
  );
  await find(page, 'Key 99');
  await page.getByText('11 keys found for Key 99 so far, among 1,000.').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('Stopped.').waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Continue');
  await page.unroute(/after_id=/);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Find', exact: true }).click();
  await page.getByText('11 keys found for Key 99 so far, among 1,000.').waitFor();
  assert.equal(await page.getByLabel('Name, ID or hint').inputValue(), 'Key 99');
  queries.length = 0;
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('11 keys found for Key 99 among 2,500.').waitFor();
  assert.ok(queries[0]?.includes(`after_id=${idOf(999)}`));
});

test('earlier searches are remembered, and a full key among them by its hint alone', async t => {
  const page = await finder(t);
  await find(page, 'berlin');
  await page.getByText('among 2,500.').waitFor();
  await page.getByLabel('Name, ID or hint').fill(`sk-ven-api03-ZZZ${'a1B2c3D4'.repeat(6)}last`);
  await page.getByText('That was a full key. It was not sent or kept.').waitFor();
  await page.getByText('1 key found for sk-ven-api03-ZZZ...last among 2,500.').waitFor();
  const buttons = page.getByRole('region', { name: 'Searches of this session' }).getByRole('button');
  assert.deepEqual(await buttons.allTextContents(), ['sk-ven-api03-ZZZ...last', 'berlin']);
  await buttons.nth(1).click();
  await page.getByRole('cell', { name: 'Übersicht' }).waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'berlin');
});

test('what is asked again, also as a hint instead of as a key, is remembered once, as the newest', async t => {
  const page = await finder(t);
  const key = `sk-ven-api03-ZZZ${'a1B2c3D4'.repeat(6)}last`;
  for (const text of [key, 'berlin', 'sk-ven-api03-ZZZ...last', 'Key 1299', 'berlin']) {
    await find(page, text);
    await page.getByText('among 2,500.').waitFor();
  }
  const buttons = page.getByRole('region', { name: 'Searches of this session' }).getByRole('button');
  assert.deepEqual(await buttons.allTextContents(), ['berlin', 'Key 1299', 'sk-ven-api03-ZZZ...last']);
});

test("the example of a hint is the newest of the roster's own, and an empty roster has none", async t => {
  const page = await finder(t);
  const note = page.locator('#find-note');
  await note.locator('code').waitFor();
  assert.equal(
    await note.textContent(),
    `A hint is the beginning and the end of a key, such as ${hintOf(0)}, or its last characters. A full key is never sent or kept: paste it, and only its hint is looked for.`,
  );
  const empty = await finder(t, await servedConsole(t, []));
  assert.match(
    (await empty.locator('#find-note').textContent()) ?? '',
    /^A hint is the beginning and the end of a key, or its last characters\./,
  );
});

test('a key that is found by a full key has the message of a leak in its drawer, and others have the other', async t => {
  const page = await finder(t);
  const drawer = page.getByRole('dialog');
  const leaked = drawer.getByLabel('Leaked');
  await find(page, `sk-ven-api03-ZZZ${'a1B2c3D4'.repeat(6)}last`);
  await rows(page).getByRole('link', { name: 'Key 1300' }).click();
  await drawer.locator('.message').waitFor();
  assert.ok(await leaked.isChecked());
  assert.match(
    (await drawer.locator('.message').textContent()) ?? '',
    /^This API key was found outside \(its full text\)\..*ID: apikey_0+1300\n.*Please archive it now and replace it where it is used\.$/s,
  );
  assert.equal(page.url(), `${served.url}?after_id=${idOf(1_299)}#key=${idOf(1_300)}`);
  await drawer.getByLabel('Still needed?').check();
  assert.match((await drawer.locator('.message').textContent()) ?? '', /^Is this API key still needed\?/);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Key 1301', exact: true }).click();
  await drawer.locator('.message').waitFor();
  assert.ok(!(await leaked.isChecked()));
});

test('that nothing has a hint is said with how much was read', async t => {
  const page = await finder(t);
  await find(page, 'sk-ven-api03-QQQ...none');
  await page.getByText('No key of this organization has this hint.').waitFor();
  await page.getByText('The roster was read up to now: 2,500 keys.').waitFor();
});

test('/ goes to the field, Escape empties it, and the focus stays in it', async t => {
  const page = await finder(t);
  const field = page.getByLabel('Name, ID or hint');
  await page.keyboard.press('/');
  assert.equal(await page.evaluate('document.activeElement.id'), 'find');
  await field.fill('Key 1');
  await field.press('Escape');
  assert.equal(await field.inputValue(), '');
  await field.fill('Key 1200');
  await field.press('Enter');
  await page.getByText('0 keys found for').waitFor();
  assert.equal(await page.evaluate('document.activeElement.id'), 'find');
});

test('an ID that a key could be is looked for in the page, and never sent', async t => {
  const bare = ['0b8bd1b0-1f0e-4b8e-8d4c-0f6f3b0a3f11', 'f3b0a3f1-1f0e-4b8e-8d4c-0f6f3b0a3f22'] as ApiKeyId[];
  const asKeys = ['key_abcdefghijklmnopqrs1', 'key_zbcdefghijklmnopqrs2'] as ApiKeyId[];
  for (const [ids, hint] of [
    [bare, 'sk-ven-api03-R2D...igAA'],
    [asKeys, 'key_Ab1...wxyz'],
  ] as const) {
    const roster = ids.map((id, number) =>
      numberedKey(number, { id, partialKeyHint: hint as PartialKeyHint }),
    );
    const page = await finder(t, await servedConsole(t, roster));
    const queries = listRequests(page);
    await find(page, ids[1] ?? '');
    await page.getByText('among 2.').waitFor();
    assert.equal(await rows(page).locator('mark').textContent(), ids[1]);
    assert.ok(queries.every(query => !query.includes('_id=')));
  }
});

test('axe finds no violation in any state, and no state is wider than the screen', async t => {
  const page = await finder(t);
  const assertAccessible = async (state: string) => {
    for (const [width, colorScheme] of [
      [1_280, 'light'],
      [360, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violationsIn(page), [], `${state}, ${width} px, ${colorScheme}`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, state);
    }
  };
  await assertAccessible('nothing asked');
  await find(page, idOf(1_200));
  await page.getByText('Created by user').waitFor();
  await assertAccessible('an ID');
  await find(page, `sk-ven-api03-ZZZ${'a1B2c3D4'.repeat(6)}last`);
  await page.getByText('1 key found for').waitFor();
  await assertAccessible('a full key');
  await page.getByLabel('Name, ID or hint').pressSequentially(`sk-ven-api03-ZZZ${'a1B2c3D4'.repeat(6)}last`);
  await page.getByText('Press Enter to look for its hint').waitFor();
  await assertAccessible('a typed key');
  await page.keyboard.press('Escape');
  await find(page, 'x'.repeat(300));
  await page.getByText('No key of this organization').waitFor();
  await assertAccessible('nothing found');
});
