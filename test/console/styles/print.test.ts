import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreatorId, WorkspaceId } from '../../../src/roster/identifier.ts';
import { servedConsole, signedIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(
  suite,
  Array.from({ length: 50 }, (_, number) =>
    numberedKey(number, {
      createdBy: { id: 'user_01WCz1FkmYMm4gnmykNKUu3Q' as CreatorId, type: 'user' },
      workspaceId: 'wrkspc_01JwQvzr7rXLA5AGx3HKfFUJ' as WorkspaceId,
    }),
  ),
);

test('50 keys print as a table on two pages, without controls', async t => {
  const page = await signedIn(t, served, { at: '?limit=50' });
  const file = await page.pdf({
    format: 'A4',
    margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' },
  });
  const pages = file.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  assert(pages > 0 && pages <= 2, `${pages} pages`);
  await page.emulateMedia({ media: 'print' });
  assert.equal(
    await page.locator('button:visible, input:visible, select:visible, header:visible').count(),
    0,
  );
});

test('a dark console prints dark on white', async t => {
  const page = await signedIn(t, served, { at: '?limit=50' });
  await page.getByLabel('Theme').selectOption('Dark');
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'light');
});
