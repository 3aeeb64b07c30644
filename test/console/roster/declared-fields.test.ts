import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import type { DeclaredValue } from '../../../src/roster/declared-fields.ts';
import type { NewField } from '../../../src/roster/new-field.ts';
import { servedConsole, signedIn } from '../../support/console.ts';
import { suiteScope } from '../../support/scope.ts';
import { numberedKey } from '../../support/seeded-service.ts';

const suite = suiteScope();
const served = await servedConsole(suite, [numberedKey(0), numberedKey(1)]);
const fields: readonly NewField[] = [
  { name: 'last_used_at', type: { kind: 'timestamp' } },
  { name: 'calls', type: { kind: 'integer' } },
  { name: 'note', type: { kind: 'text', max_length: 50 } },
];
const values: readonly DeclaredValue[] = ['2024-10-30T23:58:27.427722Z', -7, '=<b>1</b>'];
const declared = [];
for (const [index, field] of fields.entries())
  declared.push({ field: await served.writer.addField(field), value: values[index] ?? null });
await served.writer.putApiKeys(served.organization, [numberedKey(2, { declared })]);

test('the table has a column for each declared field, with times as the others', async t => {
  const page = await signedIn(t, served);
  const headings = await page.getByRole('columnheader').allInnerTexts();
  assert.deepEqual(headings.slice(6, 10), ['Created', 'Last used at', 'Calls', 'Note']);
  const cellsOf = async (name: string) => {
    const row = page.getByRole('row').filter({ hasText: name });
    return (await row.getByRole('cell').allInnerTexts()).slice(7, 10);
  };
  assert.deepEqual(await cellsOf('Key 0'), ['none', 'none', 'none']);
  const [used, calls, note] = await cellsOf('Key 2');
  assert.match(used ?? '', /^2024-10-30 \d+ y/);
  assert.deepEqual([calls, note], ['-7', '=<b>1</b>']);
  await page.getByRole('button', { name: 'Exact times' }).click();
  assert.equal((await cellsOf('Key 2'))[0], '2024-10-30 23:58:27.427722 UTC');
});

test('the files have them after the fields of the contract', async t => {
  const page = await signedIn(t, served, { at: 'overview' });
  const downloaded = async (button: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return text(await file.createReadStream());
  };
  const lines = (await downloaded('Download CSV')).split('\n');
  assert.match(lines[0] ?? '', /,workspace_id,last_used_at,calls,note$/);
  assert.match(lines[1] ?? '', /,inactive,,,,$/);
  assert.match(lines[3] ?? '', /,2024-10-30T23:58:27\.427722Z,-7,'=<b>1<\/b>$/);
  const records = JSON.parse(await downloaded('Download JSON'));
  assert.deepEqual(Object.keys(records[2]).slice(-3), ['last_used_at', 'calls', 'note']);
});
