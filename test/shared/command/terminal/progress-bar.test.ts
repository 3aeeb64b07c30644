import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { printLine } from '../../../../src/shared/command/terminal/print.ts';
import { barText, ProgressBar } from '../../../../src/shared/command/terminal/progress-bar.ts';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { jsonLines, record, withoutImportId } from '../../../support/import-file.ts';
import { noTerminal, onTerminal } from '../../../support/terminal.ts';

test('the bar shows the percentage, the records, their rate and the time left', () => {
  const half = barText(0.5, 'reading', 12_345, 4);
  for (const part of [/^reading \[(#+)(\.+)\] 50 %/, /12,345 records/, /3,086/, /4 s left/])
    assert.match(half, part);
  const [, filled, empty] = /\[(#*)(\.*)\]/.exec(half) ?? [];
  assert.equal(filled?.length, empty?.length);
  assert.match(barText(0, 'reading', 0, 1), /\[\.+\] 0 %/);
  assert.match(barText(1, 'writing', 9, 1), /^writing \[#+\] 100 %.* 0 s left/);
});

test('without a known total it shows no bar, only the records and their rate', () => {
  const text = barText(undefined, 'reading', 2_000, 2);
  assert.match(text, /^reading: 2,000 records.*1,000/);
  assert.doesNotMatch(text, /[[\]#%]|left|NaN/);
});

test('a share above 1, as of a file that grows, shows as 100 %', () => {
  assert.match(barText(1.5, 'reading', 10, 1), /\[#+\] 100 %/);
});

test('with no time passed it prints no NaN and no infinity', () => {
  for (const share of [0, undefined, 1])
    for (const records of [0, 5])
      assert.doesNotMatch(barText(share, 'reading', records, 0), /NaN|∞|Infinity/);
});

test('the bar of ten million records fits a terminal of 80 columns', () => {
  for (const what of ['reading', 'writing'])
    for (const share of [0.01, 1]) assert.ok(barText(share, what, 10_000_000, 60).length < 80);
});

test('the rate and the time left are those of the current phase, reading or writing', t => {
  const { drawn, at } = drawnOnTerminal(t);
  const bar = new ProgressBar(true);
  at(10_000, () => bar.draw(0.999, 'reading', 1_000));
  at(10_200, () => bar.draw(0.01, 'writing', 0));
  at(11_200, () => bar.draw(0.5, 'writing', 500));
  assert.match(drawn.at(-1) ?? '', /writing .*[^\d]500[^\d].* 1 s left/);
});

test('the bar is drawn on one line of standard error, at most 20 times a second', t => {
  const { drawn, at } = drawnOnTerminal(t);
  const bar = new ProgressBar(true);
  for (let time = 1_000; time < 2_000; time += 1) at(time, () => bar.draw(0.5, 'reading', time));
  assert.ok(drawn.length > 1 && drawn.length <= 20, `${drawn.length} times`);
  for (const text of drawn) assert.ok(text.startsWith('\r\x1b[K') && !text.includes('\n'), text);
  bar.clear();
  assert.equal(drawn.at(-1), '\r\x1b[K');
});

test('of the bar and of a note only what fits the width of the terminal is drawn', t => {
  const { drawn, at } = drawnOnTerminal(t);
  const columns = Object.getOwnPropertyDescriptor(process.stderr, 'columns');
  t.after(() => Object.defineProperty(process.stderr, 'columns', columns ?? { value: undefined }));
  const bar = new ProgressBar(true);
  for (const [index, width] of [60, 20, 1].entries()) {
    Object.defineProperty(process.stderr, 'columns', { value: width, configurable: true });
    at((index + 1) * 1_000, () => bar.draw(0.5, 'reading', 1_000_000));
    bar.note('waiting for an answer '.repeat(4));
    for (const text of drawn.splice(0)) assert.equal(text.replace('\r\x1b[K', '').length, width - 1);
  }
});

test('an import shows its progress on a terminal and leaves only its summary', {
  skip: noTerminal,
}, async t => {
  const { env, folder, organization } = await embeddedStore(t);
  const file = join(folder, 'many.jsonl');
  writeFileSync(file, jsonLines(Array.from({ length: 20_000 }, (_, number) => record(`k${number}`))));
  const shown = await onTerminal(['import', file, '--organization', organization], env);
  const drawn = shown.split('\r\x1b[K');
  assert.match(drawn[1] ?? '', /^reading \[#*\.*\] \d+ %: [\d,]+ records.* \d+ s left$/);
  assert.equal(
    withoutImportId(String(drawn.at(-1))),
    'inserted 20000, updated 0, unchanged 0, refused 0\r\n',
  );
});

test('the bar stays in sight while output goes into a file, and makes room for it on a terminal', async t => {
  const { drawn, at } = drawnOnTerminal(t);
  const isTTY = Object.getOwnPropertyDescriptor(process.stdout, 'isTTY');
  t.after(() =>
    Object.defineProperty(process.stdout, 'isTTY', isTTY ?? { value: undefined, configurable: true }),
  );
  t.mock.method(process.stdout, 'write', () => true);
  for (const [time, onTerminal] of [
    [1_000, false],
    [2_000, true],
  ] as const) {
    Object.defineProperty(process.stdout, 'isTTY', { value: onTerminal, configurable: true });
    drawn.length = 0;
    at(time, () => new ProgressBar(true).draw(undefined, 'reading', 1));
    printLine('a record');
    assert.equal(drawn.at(-1) === '\r\x1b[K', onTerminal);
  }
});

/** What is written to standard error, and a function that sets the clock for a call of `draw`. */
function drawnOnTerminal(t: TestContext) {
  const drawn: string[] = [];
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  t.mock.method(process.stderr, 'write', (text: string) => drawn.push(text) > 0);
  return {
    drawn,
    at: (time: number, draw: () => void) => {
      now = time;
      draw();
    },
  };
}
