import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CreatorId } from '../../../src/shared/record/identifier.ts';
import { openWorklist, servedConsole, signedIn } from '../../support/console.ts';
import { suiteScope, temporaryFolder } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const ROWS = 50_000;
const LONGEST_TASK_MS = 200;

test('two exports of 50,000 people in 32 columns never block the console for long', async t => {
  const scope = suiteScope();
  const createdBy = (number: number) => ({ id: `user_${number * 2}` as CreatorId, type: 'user' }) as const;
  const keys = Array.from({ length: 3_000 }, (_, number) =>
    numberedKey(number, { createdBy: createdBy(number) }),
  );
  const page = await signedIn(t, await servedConsole(scope, keys));
  await openWorklist(page, keys.length);
  const others = Array.from({ length: 29 }, (_, column) => `extensionAttribute${column}`);
  const folder = temporaryFolder(scope);
  const fileOf = (name: string, headings: string, rowOf: (row: number) => string) => {
    const rows = Array.from({ length: ROWS }, (_, row) => `${rowOf(row)},${others.map(() => 'x')}\n`);
    writeFileSync(join(folder, name), `${headings},${others}\n${rows.join('')}`);
    return join(folder, name);
  };
  const files = [
    fileOf('users.csv', 'id,displayName,mail', row => `user_${row},Ann ${row},u${row}@example.com`),
    fileOf(
      'people.csv',
      'login,department,left_on',
      row => `U${row}@Example.com,Team ${row % 40},2026-01-01`,
    ),
  ];
  await page.evaluate(`
    globalThis.longTasks = [];
    new PerformanceObserver(list => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
      .observe({ type: 'longtask' });
  `);
  await page.locator('.file input').setInputFiles(files);
  await page.getByText('active, of creators who left').waitFor();
  await openWorklist(page, keys.length);
  const longTasks = await page.evaluate<number[]>('longTasks');
  t.diagnostic(`tasks of 50 ms and more: ${longTasks.map(Math.round)}`);
  assert(Math.max(0, ...longTasks) < LONGEST_TASK_MS, `${longTasks}`);
});
