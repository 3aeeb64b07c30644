import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { followedFile } from '../../../../src/service/cli/feed/followed-file.ts';
import { Position } from '../../../../src/service/cli/feed/position.ts';
import { MAX_LINE_BYTES } from '../../../../src/shared/formats/json-lines.ts';
import { atEndOf, type Scope, temporaryFolder } from '../../../support/scope.ts';
import { until } from '../../../support/until.ts';

/** Longer than it takes to look at the files, and than the clock of a file system. */
const aMoment = () => setTimeout(120);

/** A file that is followed, and what was read of it since the last start. */
function following(scope: Scope) {
  const file = join(temporaryFolder(scope), 'keys.jsonl');
  writeFileSync(file, '');
  let stop = new AbortController();
  let read = '';
  let running: Promise<unknown> = Promise.resolve();
  const run = async (position: Position) => {
    for await (const chunk of followedFile(file, position, stop.signal)) {
      read += chunk;
      if (position.place) await position.save(position.place);
    }
  };
  const start = () => {
    stop = new AbortController();
    read = '';
    running = run(new Position(`${file}.position`)).catch(error => error);
  };
  const isRead = async (text: string) => {
    await until('the text is read', () => read.length >= text.length);
    assert.equal(read, text);
  };
  const end = async () => {
    stop.abort();
    assert.equal(((await running) as Error | undefined)?.name ?? 'AbortError', 'AbortError');
  };
  const refused = async (message: RegExp) => assert.match(String(await running), message);
  atEndOf(scope, () => stop.abort());
  start();
  return { file, isRead, start, end, refused };
}

/** Each in its own moment, as who writes them would. */
async function writeEach(files: readonly (readonly [string, string])[]) {
  for (const [file, text] of files) {
    writeFileSync(file, text);
    await setTimeout(10);
  }
}

test('a followed file is read as it grows, until it is asked to stop, and then from where it was', async t => {
  const { file, isRead, start, end } = following(t);
  let text = '';
  for (const more of ['a\n', 'b\nc\n', `${'x'.repeat(200_000)}\n`]) {
    appendFileSync(file, more);
    text += more;
    await isRead(text);
  }
  appendFileSync(file, 'd');
  await aMoment();
  await isRead(text);
  await end();
  appendFileSync(file, 'e\n');
  start();
  await isRead('de\n');
  await end();
  rmSync(`${file}.position`);
  start();
  await isRead(`${text}de\n`);
  await end();
});

test('what takes its place is read after it, also what was written to it last', async t => {
  const { file, isRead, end } = following(t);
  appendFileSync(file, 'a\n');
  await isRead('a\n');
  renameSync(file, `${file}.1`);
  writeFileSync(file, '');
  await aMoment();
  appendFileSync(`${file}.1`, 'b\n');
  await isRead('a\nb\n');
  appendFileSync(`${file}.1`, 'c');
  await setTimeout(10);
  appendFileSync(file, 'd\n');
  await isRead('a\nb\nc\nd\n');
  renameSync(`${file}.1`, `${file}.2`);
  renameSync(file, `${file}.1`);
  await aMoment();
  writeFileSync(file, 'e\n');
  await isRead('a\nb\nc\nd\ne\n');
  await end();
});

for (const [names, rotated, later] of [
  ['numbers', 'keys.jsonl.2', 'keys.jsonl.1'],
  ['dates', 'keys.jsonl-20261122', 'keys.jsonl-20261123'],
  ['an extension at their end', 'keys-2026-11-22.jsonl', 'keys-2026-11-23.jsonl'],
] as const)
  test(`rotated files with ${names} are read from where the feed stopped, in the order of their names, whatever their times say`, async t => {
    const { file, isRead, start, end } = following(t);
    const beside = (name: string) => join(file, '..', name);
    await writeEach([
      [beside('keys.jsonl.3'), 'before\n'],
      [beside('keys-eu.jsonl'), 'another log\n'],
      [file, 'a\n'],
    ]);
    await isRead('a\n');
    await end();
    await writeEach([
      [beside(later), 'c\n'],
      [file, 'd\n'],
      [beside(rotated), 'a\nb\n'],
    ]);
    start();
    await isRead('b\nc\nd\n');
    appendFileSync(file, 'e\n');
    await isRead('b\nc\nd\ne\n');
    await end();
  });

test('a file that was copied and truncated is read on in the copy, though it is as long again', async t => {
  const { file, isRead, start, end } = following(t);
  for (const isStopped of [false, true]) {
    appendFileSync(file, 'a\nb\n');
    await isRead('a\nb\n');
    if (isStopped) await end();
    copyFileSync(file, `${file}.1`);
    appendFileSync(`${file}.1`, 'c\n');
    truncateSync(file);
    writeFileSync(file, 'd\ne\nf\n');
    if (isStopped) start();
    await isRead(isStopped ? 'c\nd\ne\nf\n' : 'a\nb\nc\nd\ne\nf\n');
    if (isStopped) return await end();
    rmSync(`${file}.1`);
    await end();
    rmSync(`${file}.position`);
    writeFileSync(file, '');
    start();
  }
});

test('a file that is rotated before its first line is stored is read', async t => {
  const { file, isRead, start, end } = following(t);
  await until('it has begun', () => new Position(`${file}.position`).place);
  await end();
  await writeEach([[file, 'a\n']]);
  renameSync(file, `${file}.1`);
  await writeEach([[file, 'b\n']]);
  start();
  await isRead('a\nb\n');
  await end();
});

for (const [what, change] of [
  ['truncated', (file: string) => truncateSync(file, 2)],
  ['replaced', (file: string) => writeFileSync(file, 'c\nd\ne\n')],
  ['removed', (file: string) => rmSync(file)],
] as const)
  test(`a file that is ${what} without a rotated one is an error, as lines may be lost`, async t => {
    const { file, isRead, start, end, refused } = following(t);
    appendFileSync(file, 'a\nb\n');
    await isRead('a\nb\n');
    await end();
    change(file);
    start();
    await refused(/can't go on: neither .* what stood before byte 4, /);
    const { bytes } = JSON.parse(readFileSync(`${file}.position`, 'utf8'));
    assert.equal(bytes, 4);
  });

test('a file that is truncated while it is followed is an error without a rotated one', async t => {
  const { file, isRead, refused } = following(t);
  appendFileSync(file, 'a\nb\n');
  await isRead('a\nb\n');
  truncateSync(file);
  await refused(/can't go on: /);
});

test('a rotated file that is compressed is an error, until it is decompressed', async t => {
  const { file, isRead, start, end, refused } = following(t);
  appendFileSync(file, 'a\n');
  await isRead('a\n');
  await end();
  await writeEach([
    [`${file}.1`, 'a\nb\n'],
    [`${file}.0`, 'c\n'],
    [file, 'd\n'],
  ]);
  for (const [name, message] of [
    ['keys.jsonl.1', /can't go on: neither /],
    ['keys.jsonl.0', /can't go on: the next file, .*keys.jsonl.0.gz, is compressed: decompress it$/],
  ] as const) {
    execFileSync('gzip', [join(file, '..', name)]);
    start();
    await refused(message);
    execFileSync('gunzip', [join(file, '..', `${name}.gz`)]);
  }
  start();
  await isRead('c\nd\n');
  await end();
});

test('a file beside it that no rotation has made is not read', async t => {
  const { file, isRead, end } = following(t);
  appendFileSync(file, 'a\n');
  await isRead('a\n');
  const others = [
    'keys-2.jsonl',
    'keys.jsonl.1.bak',
    'keys.jsonl.old',
    'keys.jsonl2',
    'keys.jsonl.position.1',
  ];
  for (const name of others) writeFileSync(join(file, '..', name), 'other\n');
  renameSync(file, `${file}.1`);
  writeFileSync(file, 'b\n');
  await isRead('a\nb\n');
  await end();
});

test('the last line of a file is not joined with the first of the next, however long it is', async t => {
  const { file, isRead, end } = following(t);
  const long = 'x'.repeat(2 * MAX_LINE_BYTES);
  appendFileSync(file, `a\n${long}`);
  await isRead(`a\n${long}`);
  renameSync(file, `${file}.1`);
  writeFileSync(file, 'b\n');
  await isRead(`a\n${long}\nb\n`);
  await end();
});

test('a position that no feed has written is refused', t => {
  const file = join(temporaryFolder(t), 'position');
  const place = { file: '1-1', bytes: 5, known: 2, sha256: '' };
  for (const change of [{ bytes: -5, known: -10 }, { known: 0 }, { known: 6 }, { bytes: 0 }, { file: 1 }]) {
    writeFileSync(file, JSON.stringify({ ...place, ...change }));
    assert.throws(
      () => new Position(file),
      /doesn't say how far a feed has read: name another file, or remove it/,
    );
  }
});
