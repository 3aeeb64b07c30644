import assert from 'node:assert/strict';
import { test } from 'node:test';
import { names, pagerButton, servedConsole, settled, signedIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(61));

test('Oldest walks to the last page of the filters, can be stopped, and is at once the second time', async t => {
  const page = await signedIn(t, served, { at: '?limit=7&status=active' });
  const expected = Array.from({ length: 61 }, (_, number) => number)
    .filter(number => number % 3 !== 0)
    .slice(-7);
  let requests = 0;
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/api_keys?*', async route => {
    requests += 1;
    if (requests === 1) await held;
    await route.continue().catch(() => {}); // the page has aborted the first one
  });
  await pagerButton(page, 'Oldest').click();
  await page.getByRole('button', { name: 'Stop' }).click();
  release();
  await page.getByRole('button', { name: 'Continue' }).click();
  const showsOldest = async () => {
    await page.waitForURL(/after_id=/);
    await page.getByText(`Key ${expected.at(-1)}`, { exact: true }).waitFor();
    await settled(page);
    assert.deepEqual(
      await names(page),
      expected.map(number => `Key ${number}`),
    );
    assert.equal(await pagerButton(page, 'Next').getAttribute('aria-disabled'), 'true');
  };
  await showsOldest();
  await page.goBack();
  await page.getByText('Key 1', { exact: true }).waitFor();
  requests = 0;
  await pagerButton(page, 'Oldest').click();
  await showsOldest();
  assert.equal(requests, 1);
});

test('a failed Next keeps the focus and the rows', async t => {
  const page = await signedIn(t, served);
  await page.route('**/api_keys?*', route => route.abort(), { times: 1 });
  await pagerButton(page, 'Next').focus();
  await page.keyboard.press('Enter');
  await page.getByText('The service could not be reached').waitFor();
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Next');
  assert.equal((await names(page))[0], 'Key 0');
});
