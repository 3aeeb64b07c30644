import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { shortLine } from '../../../../src/service/cli/serve/log-output.ts';
import { fromJsonLines } from '../../../support/import-file.ts';

const MODULE = new URL('../../../../src/service/cli/serve/log-output.ts', import.meta.url).href;

const skip = process.platform === 'win32' ? 'there is no sh' : false;
const runFile = promisify(execFile);

/** The code of a process that has a `log`. */
const script = (code: string, options = '') =>
  `import { logOutput } from '${MODULE}'; const log = logOutput(${options}); ${code}`;
const argumentsOf = (code: string) => ['--input-type=module', '-e', code];

/** What a process prints that runs this code with a `log`. */
async function printedBy(code: string, env = {}): Promise<string> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
  return (await runFile(process.execPath, argumentsOf(script(code)), options)).stdout;
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

test('the last log line is printed behind lines whose writing is delayed', async () => {
  const code = `import { pbkdf2 } from 'node:crypto';
    pbkdf2('', '', 60_000, 64, 'sha512', () => {}); // takes the only thread that could write
    log.write('a\\n');
    setTimeout(() => {
      log.write('b\\n');
      log.end(); // and then a busy machine has 2 s
    }, 20);`;
  assert.equal(await printedBy(code, { UV_THREADPOOL_SIZE: '1' }), 'a\nb\n');
});

test('a process whose reader is gone goes on, and ends', { skip }, async () => {
  const code = script(`log.write('a\\n');
    let lines = 0;
    const timer = setInterval(() => {
      log.write('b\\n');
      if (++lines < 20) return;
      clearInterval(timer);
      log.end();
      console.error('has gone on');
    }, 20);`);
  const line = '("$0" --input-type=module -e "$1" 2>&3; echo "$?" >&3) 3>&2 | head -n 1';
  const { stdout, stderr } = await runFile('sh', ['-c', line, process.execPath, code]);
  assert.deepEqual([stdout, stderr], ['a\n', 'has gone on\n0\n']);
});

test('the lines of processes that share a pipe stay whole while its reader is slow', { skip }, async () => {
  const lines = 4_000;
  const code = `for (let line = 0; line < ${lines}; line++) {
      if (line % 200 === 0) await new Promise(setImmediate);
      const text = 'é'.repeat((line * 37) % 400) + (line % 500 === 0 ? '.'.repeat(9000) : '');
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

test('how many lines were dropped is told once lines are taken again', async () => {
  const code = `
    const line = JSON.stringify({ text: 'x'.repeat(1023 * 1024) }) + '\\n';
    for (let lines = 0; lines < 20; lines++) log.write(line);
    setTimeout(() => {
      log.write('{"msg":"last"}\\n');
      log.end();
    }, 500);`;
  const lines = (await printedBy(code))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  const told = lines.find(({ level }) => level === 40);
  assert.equal(told.msg, '4 log lines were dropped: 16 MiB of others were waiting');
  assert.equal(lines.filter(({ text }) => text).length, 16);
  assert.equal(lines.at(-1).msg, 'last');
});

test('a line that no cut makes short enough delays no later one', { skip }, async () => {
  const code = `const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => ['field' + n, n]));
    log.write(JSON.stringify({ level: 50, time: 1, ...many, msg: 'many' }) + '\\n');
    log.write('x'.repeat(9_000) + '\\n');
    log.write('{"msg":"later"}\\n');
    log.end();`;
  const line = '"$0" --input-type=module -e "$1" | cat';
  const shared = script(code, '{ shared: true }');
  const { stdout } = await runFile('sh', ['-c', line, process.execPath, shared], { timeout: 10_000 });
  const [many, noJson, later] = stdout.split('\n').map(line => line && JSON.parse(line));
  assert.deepEqual(many, { level: 50, time: 1, msg: 'too long to be logged whole: many' });
  assert.match(noJson.msg, /^x+…$/);
  assert.equal(later.msg, 'later');
});

test('a line of many texts or errors is cut to some of them', () => {
  const many = Array.from({ length: 5_000 }, (_, n) => `text ${n}`);
  const aggregateErrors = Array.from({ length: 100 }, (_, n) => ({
    message: `${n}`,
    stack: 'é\n'.repeat(500),
  }));
  const line = { level: 50, msg: 'm', err: { message: 'all', aggregateErrors }, many };
  const short = shortLine(`${JSON.stringify(line)}\n`, 4096);
  assert.ok(Buffer.byteLength(short) <= 4096);
  const { level, msg, err, many: some } = JSON.parse(short);
  assert.deepEqual([level, msg, err.message, some[0]], [50, 'm', 'all', 'text 0']);
  assert.equal(err.aggregateErrors[0].message, '0');
});

test('a log line of up to so many bytes stays as it is; a longer one is still a JSON object of one line with all of its fields, and its long texts are cut', () => {
  assert.equal(shortLine('{"msg":"é"}\n', 13), '{"msg":"é"}\n');
  const stack = 'at somewhere é\n'.repeat(1_000);
  const line = {
    level: 50,
    request_id: 'req_1',
    err: { message: 'short', stack, aggregateErrors: [{ stack }] },
  };
  const short = shortLine(`${JSON.stringify(line)}\n`, 4096);
  assert.ok(Buffer.byteLength(short) <= 4096);
  assert.match(short, /^[^\n]+\n$/);
  const read = JSON.parse(short);
  assert.deepEqual([read.level, read.request_id, read.err.message], [50, 'req_1', 'short']);
  assert.ok(read.err.stack.startsWith('at somewhere') && read.err.stack.endsWith('…'));
});
