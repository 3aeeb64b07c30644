import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { fromJsonLines } from '../../support/import-file.ts';

const MODULE = new URL('../../../src/operator/serve/log-output.ts', import.meta.url).href;

const skip = process.platform === 'win32' ? 'there is no sh' : false;
const runFile = promisify(execFile);

/** The code of a process that has a `log`. */
const script = (code: string, options = '') =>
  `import { logOutput } from '${MODULE}'; const log = logOutput(${options}); ${code}`;
const argumentsOf = (code: string) => ['--input-type=module', '-e', code];

/** What a process prints that runs this code with a `log`. */
async function printedBy(code: string, options = ''): Promise<string> {
  const maxBuffer = 64 * 1024 * 1024;
  return (await runFile(process.execPath, argumentsOf(script(code, options)), { maxBuffer })).stdout;
}

/** Runs this code with a `log`, whose output is read by the test. */
function startWriter(code: string, options = '', timeout = 60_000) {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  return spawn(process.execPath, argumentsOf(script(code, options)), { stdio: [...stdio], timeout });
}

test('log lines are printed in order, including those written just before the end; later ones are lost', async () => {
  const code = `
    for (const line of ['a', 'b']) log.write(line + '\\n');
    setTimeout(() => {
      log.write('c\\n');
      log.end();
      log.write('too late\\n');
    }, 50);`;
  assert.equal(await printedBy(code), 'a\nb\nc\n');
});

test('lines of at most 4 KiB of processes that share a pipe stay whole while its reader is slow', {
  skip,
}, async () => {
  const lines = 4_000;
  const code = `for (let line = 0; line < ${lines}; line++) {
      if (line % 200 === 0) await new Promise(setImmediate);
      const text = 'é'.repeat((line * 37) % 400) + (line % 500 === 0 ? '.'.repeat(3000) : '');
      log.write(JSON.stringify({ process: process.argv[1], line, text }) + '\\n');
    }
    log.end();`;
  const both = '("$0" --input-type=module -e "$1" 1 & "$0" --input-type=module -e "$1" 2 & wait) | cat';
  const writers = spawn('sh', ['-c', both, process.execPath, script(code, '{ shared: true }')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(writers, 'exit');
  let printed = '';
  for await (const chunk of writers.stdout.setEncoding('utf8')) {
    printed += chunk;
    if (printed.length < 1_500_000) await wait(5);
  }
  await ended;
  const read = fromJsonLines(printed);
  for (const writer of ['1', '2'])
    assert.deepEqual(
      read
        .filter(({ process }) => process === writer)
        .map(({ line }) => line)
        .toSorted((a, b) => a - b),
      Array.from({ length: lines }, (_, line) => line),
    );
});

test('a process whose reader takes nothing still ends', async () => {
  const code = `for (let line = 0; line < 2_000; line++) log.write('x'.repeat(999) + '\\n');
    setTimeout(log.end, 50);`;
  for (const options of ['', '{ shared: true }']) {
    const writer = startWriter(code, options, 10_000);
    assert.deepEqual(await once(writer, 'exit'), [0, null]);
    writer.stdout.destroy();
  }
});

test('a process whose reader is slow ends when all is taken, however long that takes', async () => {
  const writer = startWriter(`for (let line = 0; line < 3_000; line++) log.write('x'.repeat(999) + '\\n');
    log.end();`);
  let taken = 0;
  for await (const chunk of writer.stdout) {
    taken += chunk.length;
    await wait(70); // longer than 2 s for all
  }
  assert.equal(taken, 3_000_000);
});

test('a line is counted as dropped at once where the reader of a socket is gone, as no other comes', {
  skip,
}, async () => {
  const writer = startWriter(
    `setInterval(() => log.write('x\\n'), 5);`,
    '{ onDrop: () => process.exit(3) }',
    10_000,
  );
  await once(writer.stdout, 'data');
  writer.stdout.destroy();
  assert.deepEqual(await once(writer, 'exit'), [3, null]);
});

test('lines that are dropped are counted, and told once lines are taken again', async () => {
  const code = `
    let counted = 0;
    const line = JSON.stringify({ text: 'x'.repeat(1023 * 1024) }) + '\\n';
    for (let lines = 0; lines < 20; lines++) log.write(line);
    setTimeout(() => {
      log.write(JSON.stringify({ counted }) + '\\n');
      log.end();
    }, 500);`;
  const lines = (await printedBy(code, '{ onDrop: () => counted++ }'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  const told = lines.find(({ level }) => level === 40);
  assert.equal(told.msg, '4 log lines were dropped: 16 MiB of others were waiting');
  assert.equal(lines.filter(({ text }) => text).length, 16);
  assert.deepEqual(lines.at(-1), { counted: 4 });
});
