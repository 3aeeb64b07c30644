import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
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

test('with no time passed, and of a file that grows, it shows no impossible figure', () => {
  for (const share of [0, undefined, 1])
    for (const records of [0, 5])
      assert.doesNotMatch(barText(share, 'reading', records, 0), /NaN|∞|Infinity/);
  assert.match(barText(1.5, 'reading', 10, 1), /\[#+\] 100 %/);
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
