import assert from 'node:assert/strict';
import { appendFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { followedFile } from '../../../src/cli/feed/followed-file.ts';
import { atEndOf, type Scope, temporaryFolder } from '../../support/scope.ts';
import { until } from '../../support/until.ts';

/** A file that is followed, and a function that waits until this is all that was read. */
function following(scope: Scope) {
  const file = join(temporaryFolder(scope), 'keys.jsonl');
  writeFileSync(file, '');
  const stop = new AbortController();
  let read = '';
  const ended = (async () => {
    for await (const chunk of followedFile(file, stop.signal)) read += chunk;
  })().catch(error => assert.equal(error.name, 'AbortError'));
  const isRead = async (text: string) => {
    await until('the text is read', () => read.length >= text.length);
    assert.equal(read, text);
  };
  const end = async () => {
    stop.abort();
    await ended;
  };
  atEndOf(scope, end);
  return { file, isRead, end };
}

test('a followed file is read as it grows, until it is asked to stop', async t => {
  const { file, isRead, end } = following(t);
  let text = '';
  for (const more of ['a\n', 'b', 'c\n', `${'x'.repeat(200_000)}\n`]) {
    appendFileSync(file, more);
    text += more;
    await isRead(text);
  }
  await end();
});

test('what takes its place is read after it, also what was written to it last', async t => {
  const { file, isRead, end } = following(t);
  appendFileSync(file, 'a\n');
  await isRead('a\n');
  renameSync(file, `${file}.1`);
  appendFileSync(`${file}.1`, 'b\n');
  writeFileSync(file, 'c\n');
  await isRead('a\nb\nc\n');
  renameSync(file, `${file}.2`);
  await new Promise(resolve => setTimeout(resolve, 120));
  writeFileSync(file, 'd\n');
  await isRead('a\nb\nc\nd\n');
  await end();
});

test('a truncated file is read from its beginning, and a line without its newline ends there', async t => {
  const { file, isRead, end } = following(t);
  appendFileSync(file, 'a\nb');
  await isRead('a\nb');
  truncateSync(file);
  await isRead('a\nb\n');
  appendFileSync(file, 'c\n');
  await isRead('a\nb\nc\n');
  await end();
});
