import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const MODULE = new URL('../../../src/cli/serve/log-output.ts', import.meta.url).href;

/** What a process prints that runs this code with a `log`. */
async function printedBy(code: string): Promise<string> {
  const script = `import { logOutput } from '${MODULE}'; const log = logOutput(); ${code}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout;
}

test('log lines are printed in order, including those written just before the end', async () => {
  const code = `
    for (const line of ['a', 'b']) log.write(line + '\\n');
    setTimeout(() => {
      log.write('c\\n');
      log.end();
    }, 50);`;
  assert.equal(await printedBy(code), 'a\nb\nc\n');
});
