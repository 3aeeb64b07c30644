import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { followedFile } from '../../../src/operator/feed/followed-file.ts';
import { Position } from '../../../src/operator/feed/position.ts';
import { MAX_LINE_BYTES } from '../../../src/shared/formats/json-lines.ts';
import { atEndOf, type Scope, temporaryFolder } from '../../support/scope.ts';
import { until } from '../../support/until.ts';

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

/** One rotation while the feed is stopped, after others. */
for (const [names, older, rotated] of [
  ['numbers', 'keys.jsonl.2', 'keys.jsonl.1'],
  ['dates', 'keys.jsonl-20261122', 'keys.jsonl-20261123'],
  ['an extension at their end', 'keys-2026-11-22.jsonl', 'keys-2026-11-23.jsonl'],
  ['any name', 'keys.jsonl.older', 'keys.jsonl.old'],
] as const)
  test(`a file that was rotated to ${names} while the feed was stopped is read to its end, and then the next from its beginning`, async t => {
    const { file, isRead, start, end } = following(t);
    const beside = (name: string) => join(file, '..', name);
    await writeEach([
      [beside(older), 'before\n'],
      [file, 'a\n'],
    ]);
    await isRead('a\n');
    await end();
    appendFileSync(file, 'b\n');
    renameSync(file, beside(rotated));
    await writeEach([
      [beside('keys-eu.jsonl'), 'another log\n'],
      [file, 'c\n'],
    ]);
    start();
    await isRead('b\nc\n');
    appendFileSync(file, 'd\n');
    await isRead('b\nc\nd\n');
    await end();
  });

for (const [names, rotate] of [
  ['that shift', (file: string) => [`${file}.2`, `${file}.1`]],
  ['that grow', (file: string) => [`${file}.1`, `${file}.2`]],
  ['of days', (file: string) => [`${file}-20261122`, `${file}-20261123`]],
] as const)
  for (const isStopped of [false, true])
    test(`two rotations to names ${names} ${isStopped ? 'while it is stopped' : 'at once'} end the feed, as it can't tell what came between`, async t => {
      const { file, isRead, start, end, refused } = following(t);
      appendFileSync(file, 'a\n');
      await isRead('a\n');
      if (isStopped) await end();
      const [read, between] = rotate(file) as [string, string];
      renameSync(file, read);
      writeFileSync(between, 'b\n');
      writeFileSync(file, 'c\n');
      if (isStopped) start();
      await refused(
        /can't go on: .* was written to after the file that was read last, .* by hand .*, oldest first/,
      );
      rmSync(`${file}.position`);
      rmSync(read);
      rmSync(between);
      start();
      await isRead('c\n');
      await end();
    });

test('a rotated file that is empty or still being compressed is none that came between', async t => {
  const { file, isRead, start, end, refused } = following(t);
  await writeEach([
    [`${file}.1`, 'before\n'],
    [file, 'a\n'],
  ]);
  await isRead('a\n');
  await end();
  renameSync(`${file}.1`, `${file}.3`);
  renameSync(file, `${file}.2`);
  for (const [name, text] of [
    ['3.gz', 'half'],
    ['1', ''],
  ] as const)
    writeFileSync(`${file}.${name}`, text);
  writeFileSync(file, 'b\n');
  start();
  await isRead('b\n');
  await end();
  renameSync(`${file}.1`, `${file}.1.gz`);
  writeFileSync(`${file}.1.gz`, 'whole');
  renameSync(`${file}.2`, file);
  rmSync(`${file}.position`);
  start();
  await isRead('a\n');
  renameSync(file, `${file}.2`);
  await refused(/keys.jsonl.1.gz was written to after/);
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
  ['copied, truncated and as long again', copyAndTruncate],
  ['removed', (file: string) => rmSync(file)],
  ['compressed', (file: string) => execFileSync('gzip', [file])],
] as const)
  for (const isStopped of [false, true])
    test(`a file that is ${what} while it is ${isStopped ? 'not ' : ''}followed ends the feed, as lines may be lost`, async t => {
      const { file, isRead, start, end, refused } = following(t);
      appendFileSync(file, 'a\nb\n');
      await isRead('a\nb\n');
      if (isStopped) await end();
      change(file);
      if (isStopped) start();
      await refused(/can't go on: .* was (removed|truncated)/);
      const { bytes } = JSON.parse(readFileSync(`${file}.position`, 'utf8'));
      assert.equal(bytes, 4);
    });

function copyAndTruncate(file: string): void {
  copyFileSync(file, `${file}.1`);
  writeFileSync(file, 'c\nd\ne\n');
}

test('a file that has the inode of one that was removed is not taken for that', async t => {
  const { file, isRead, start, end, refused } = following(t);
  await until('it has begun', () => new Position(`${file}.position`).place);
  await end();
  const position = JSON.parse(readFileSync(`${file}.position`, 'utf8'));
  rmSync(file);
  writeFileSync(file, 'b\n');
  const removed = position.file.split('-')[1];
  writeFileSync(
    `${file}.position`,
    JSON.stringify({ ...position, file: `${statSync(file).ino}-${removed}` }),
  );
  start();
  await refused(/can't go on: the file that was read last was removed/);
  rmSync(`${file}.position`);
  start();
  await isRead('b\n');
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
  for (const place of [
    { file: '1-1', bytes: -5 },
    { file: '1-1', bytes: '5' },
    { file: 1, bytes: 5 },
  ]) {
    writeFileSync(file, JSON.stringify({ ...place, sha256: '' }));
    assert.throws(
      () => new Position(file),
      /doesn't say how far a feed has read: name another file, or remove it/,
    );
  }
});
