import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import {
  download,
  enter,
  openMenu,
  openWorklist,
  pickFile,
  press,
  servedConsole,
  settled,
  signedIn,
  signInAgain,
} from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const keys = numberedKeys(300);
const served = await servedConsole(suiteScope(), keys);
/** Each has the text that may be in no request, address, file or log. */
const CANARY = 'Canary';
const DIRECTORY = [
  'id,kind,name,mail,team',
  `user_0,person,Ada ${CANARY},ada@${CANARY}.example,${CANARY} team`,
  `user_1,person,Bo ${CANARY},bo@${CANARY}.example,Other ${CANARY}`,
  `wrkspc_1,workspace,Work ${CANARY},,`,
].join('\n');
/** The company's people, without IDs. */
const COMPANY = [
  'login,status,manager',
  `BO@${CANARY}.example,Terminated,Boss ${CANARY}`,
  `ada@${CANARY}.example,Suspended,`,
].join('\n');

async function openDirectory(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Worklist' }).click();
  await pickFile(page, COMPANY, 'company.csv');
  await page.getByText('company.csv: has no IDs of creators').waitFor();
  await pickFile(page, DIRECTORY, 'people.csv');
  await page.getByText('company.csv: 2 row(s), 2 joined, 0 not').waitFor();
  await page.getByText('active, of creators who left').waitFor();
}

const stored = (page: Page) =>
  page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })');

test('names of a directory stand where IDs stood and filter, and are in no request, no address, no file and no log', async t => {
  const page = await signedIn(t, served);
  const first = (name: string) => page.getByRole('link', { name }).first();
  const sent: string[] = [];
  page.on('request', request =>
    sent.push(request.url() + JSON.stringify(request.headers()) + request.postData()),
  );
  page.on('framenavigated', frame => sent.push(frame.url()));
  await openDirectory(page);
  const left = page.getByRole('link', { name: 'active, of creators who left' });
  const number = Number.parseInt(await left.innerText(), 10);
  assert.equal(number, keys.filter(key => key.createdBy.id === 'user_1' && key.status === 'active').length);
  await page.getByText('creators, 1 of them left, 1 disabled').waitFor();
  await left.click();
  await page
    .getByText(`${number} keys`, { exact: true })
    .or(page.getByText('20 keys, created'))
    .first()
    .waitFor();
  await first(`Bo ${CANARY} left`).waitFor();
  assert.equal(await page.getByText(`Ada ${CANARY}`).count(), 0);
  await press(page, 'Reload');
  await page.getByRole('link', { name: 'Roster' }).click();
  for (const [label, text, address] of [
    ['Creator', `Ada ${CANARY}`, '?created_by_user_id=user_0'],
    ['Workspace', `work ${CANARY}`, '?workspace_id=wrkspc_1&created_by_user_id=user_0'],
    ['Creator', `BO@${CANARY}.example`, '?workspace_id=wrkspc_1&created_by_user_id=user_1'],
  ] as const) {
    await enter(page, label, text);
    await page.waitForURL(`${served.url}roster${address}`);
    await settled(page);
  }
  assert.equal(await page.getByLabel('Creator', { exact: true }).inputValue(), `Bo ${CANARY}`);
  await page.getByRole('button', { name: `Remove filter: in Work ${CANARY}` }).waitFor();
  await enter(page, 'Creator', `nobody ${CANARY}`);
  await page.getByText('That is no ID, and no name').waitFor();
  await page.getByRole('link', { name: 'Clear all' }).click();
  await openMenu(page);
  await enter(page, 'Team', `${CANARY} team`);
  await page.waitForURL(/roster#team=[0-9a-z]{8,13}$/); // a digest
  await first(`Ada ${CANARY}`).click();
  await settled(page);
  await page.locator('.open').first().click();
  await page.getByRole('dialog').getByText('user_0').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Find' }).click();
  await enter(page, 'Name, ID or hint', 'Key 1');
  await page.getByText('among 300.').waitFor();
  await page.getByRole('link', { name: 'Worklist' }).click();
  const { name, content } = await download(page, 'List to revoke (CSV)');
  const messages = await download(page, 'Messages to owners');
  assert.match(messages.name, /\.txt$/);
  const texts = messages.content.split(`\n${'-'.repeat(70)}\n\n`);
  const toBoss = texts.find(text => text.startsWith('To: nobody: ask around\n\n'));
  const theirs = page.getByRole('listitem').filter({ hasText: `Bo ${CANARY}` });
  await theirs.getByRole('button', { name: 'Message' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByText('One message for all of their keys, to nobody: ask around').waitFor();
  assert.equal(await panel.locator('.message').textContent(), toBoss?.split('\n').slice(2, -1).join('\n'));
  assert.match(
    toBoss ?? '',
    new RegExp(`\n  of Bo ${CANARY}, who has left; no manager is known to be here: Boss ${CANARY}\n`),
  );
  await page.keyboard.press('Escape');
  const history = await page.evaluate<string>('JSON.stringify(history.state) + location.href');
  for (const [what, text] of Object.entries({
    requests: sent.join('\n'),
    file: name + content + messages.name,
    log: served.logText(),
    history,
    storage: await stored(page),
  }))
    assert(!text.toLowerCase().includes(CANARY.toLowerCase()), `it is in the ${what}`);
  assert(sent.length > 10);
});

test('a directory is stored nowhere, ends with the session, and is taken back in one click', async t => {
  const page = await signedIn(t, served);
  await openDirectory(page);
  assert.equal(await stored(page), '{}');
  await signInAgain(page, served);
  await openWorklist(page, keys.length);
  assert.equal(await page.getByText(CANARY).count(), 0);
  await openDirectory(page);
  await press(page, 'Forget the directory');
  await page.getByText('open your directory file for names').waitFor();
  assert.equal(await page.getByText(CANARY).count(), 0);
});
