import assert from 'node:assert/strict';
import { test } from 'node:test';
import { servedConsole, signedIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, numberedKeys(1));

for (const forcedColors of ['none', 'active'] as const) {
  test(`the current view looks current: forced colours ${forcedColors}`, async t => {
    const page = await signedIn(t, served, { forcedColors });
    const looks = await page.evaluate<string[]>(
      `[...document.querySelectorAll('header nav a')].map(link => {
        const { color, backgroundColor } = getComputedStyle(link);
        return backgroundColor + ' ' + color;
      })`,
    );
    assert.equal(new Set(looks).size, 2, `${looks}`);
  });
}

test('a long ID of an organization leaves the other parts of the header on one line', async t => {
  const page = await signedIn(t, served, { viewport: { width: 800, height: 600 } });
  await page.evaluate("document.querySelector('.organization').append('x'.repeat(128))");
  const box = await page.locator('header').boundingBox();
  assert((box?.height ?? 0) < 60, `${box?.height} px`);
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0);
});
