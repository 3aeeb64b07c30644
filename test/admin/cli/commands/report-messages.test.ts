import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exampleRecord } from '../../../support/example-record.ts';
import { jsonLines } from '../../../support/import-file.ts';
import { assertFailed, runCommand } from '../../../support/run-many-commands.ts';
import { temporaryFolder } from '../../../support/scope.ts';

const OWNERS = 100;
/** Two old keys of each of a hundred owners, one of them with a mail address that is a formula in a spreadsheet. */
const keys = Array.from({ length: 2 * OWNERS }, (_, number) => ({
  ...exampleRecord,
  id: `k${number}`,
  name: number === 7 ? 'see https://evil.example\n' : `Key ${number}`,
  created_at: '2020-01-01T00:00:00Z',
  created_by: { id: `user_${number % OWNERS}`, type: 'user' },
  expires_at: number === 0 ? new Date(Date.now() + 86_400_000).toISOString() : null,
}));
const people = Array.from({ length: OWNERS }, (_, number) => {
  const left = number >= 97 ? '2020-01-01' : '';
  const manager = number === 99 ? '' : 'u1@example.com';
  return `user_${number},${number === 0 ? '+' : ''}u${number}@example.com,${manager},${left}`;
});

function folderOf(t: Parameters<typeof temporaryFolder>[0]): string {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'roster.jsonl'), jsonLines(keys));
  writeFileSync(join(folder, 'people.csv'), ['id,mail,manager,left_on', ...people].join('\n'));
  return folder;
}

const ARGS = ['report', '--file', 'roster.jsonl', '--directory', 'people.csv'];

test('report --messages writes a text for each owner and who gets which, for their eyes alone, in one command', async t => {
  const cwd = folderOf(t);
  const messages = join(cwd, 'messages');
  const more = ['--expires-within', '30d', '--messages', 'messages'];
  const { stdout, stderr, exitCode } = await runCommand([...ARGS, ...more], { cwd });
  assert.match(stderr, /^98 message\(s\) in messages: messages\.csv says who gets which\. Nothing is sent$/m);
  assert.equal(exitCode, 0, 'what should go, and what expires, are warnings');
  assert.match(stdout, /\nexpires-within \(warning\): 1 key/);
  const [heading, ...rows] = readFileSync(join(messages, 'messages.csv'), 'utf8').trimEnd().split('\n');
  assert.equal(heading, 'to,file');
  const files = new Map(rows.map(row => row.split(',').toReversed() as [string, string]));
  assert.deepEqual(
    readdirSync(messages).toSorted(),
    [...Array.from({ length: 98 }, (_, index) => `${index + 1}.txt`), 'messages.csv'].toSorted(),
  );
  for (const file of readdirSync(messages)) assert.equal(statSync(join(messages, file)).mode & 0o777, 0o600);
  const named: string[] = [];
  for (const [file, to] of files) {
    const text = readFileSync(join(messages, file), 'utf8');
    const ids = Array.from(text.matchAll(/^- .*, (k\d+)$/gm), ([, id]) => String(id));
    named.push(...ids);
    const [owner] = ids.map(id => Number(id.slice(1)) % OWNERS);
    const expected = { '': 'user_99', "'+u0@example.com": 'user_0' }[to] ?? `user_${to.match(/\d+/)}`;
    if (to === 'u1@example.com') {
      assert.equal(ids.length, 6, 'their own, and those of two who left');
      assert.equal(text.match(/^ {2}of u9[78]\[@\]example\[\.\]com, who has left$/gm)?.length, 4);
    } else assert.equal(`user_${owner}`, expected);
    if (to.includes('+')) assert.match(text, /\n {2}active and expiring within 30 days\n/);
    if (ids.includes('k7')) assert.match(text, /^- see https\[:]\/\/evil\[\.]example \(/m);
  }
  assert.deepEqual(named.toSorted(), keys.map(({ id }) => id).toSorted(), 'each key is in one of them');
  assert.equal([...files.values()].at(-1), '');
});

test('report --messages takes own policies, refuses a folder that has something, and begins nothing then', async t => {
  const cwd = folderOf(t);
  const own = await runCommand([...ARGS, '--max-age', '9999d', '--messages', 'a', '--exact'], { cwd });
  assert.equal(own.exitCode, 0);
  assert.match(readFileSync(join(cwd, 'a/messages.csv'), 'utf8'), /^\+u0@example\.com,\d+\.txt$/m);
  assertFailed(
    await runCommand([...ARGS, '--messages', 'a'], { cwd }),
    2,
    /--messages: a: isn't empty: give a new folder, so that no text of another day is sent again\n/,
  );
  writeFileSync(join(cwd, 'file'), '');
  assertFailed(await runCommand([...ARGS, '--messages', 'file'], { cwd }), 2, /file: can't be used: ENOTDIR/);
  mkdirSync(join(cwd, 'empty'), { mode: 0o755 });
  const none = join(cwd, 'none.json');
  writeFileSync(none, JSON.stringify({ policies: [{ name: 'a', rule: 'max-age', days: 99_999 }] }));
  const kept = await runCommand([...ARGS, '--policies', none, '--messages', 'empty'], { cwd });
  assert.match(kept.stderr, /^0 message\(s\) in empty/m);
  assert.deepEqual(readdirSync(join(cwd, 'empty')), ['messages.csv']);
  assert.equal(statSync(join(cwd, 'empty')).mode & 0o777, 0o700);
});
