import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../../src/shared/command/command.ts';
import { textOfOption } from '../../../src/shared/command/input/text-of-file.ts';
import { BINS, spawnOptions } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/scope.ts';

const IS_WINDOWS = process.platform === 'win32';

test('the file of an option is a regular one of at most 64 MiB in UTF-8, and nothing else is read', t => {
  const file = join(temporaryFolder(t), 'people.csv');
  const refused = (path: string, why: RegExp) =>
    assert.throws(
      () => textOfOption('--file', path),
      (error: Error) => error instanceof UsageError && why.test(error.message),
    );
  if (!IS_WINDOWS) {
    execFileSync('mkfifo', [`${file}.fifo`]);
    refused(`${file}.fifo`, /^--file: can't read .*\.fifo: it is not a regular file$/);
    refused('/dev/zero', /^--file: can't read \/dev\/zero: it is not a regular file$/);
  }
  refused('', /^--file: the name of the file is empty: leave it out, or name a file$/);
  refused('/no/such.csv', /^--file: can't read \/no\/such\.csv: ENOENT/);
  writeFileSync(file, Buffer.from('caf\xe9', 'latin1'));
  refused(file, /^--file: can't read .*people\.csv: it is not in UTF-8$/);
  truncateSync(file, 64 * 2 ** 20 + 1);
  refused(file, /^--file: can't read .*people\.csv: it is larger than 64 MiB$/);
});

test('it may be a pipe that the shell opens', { skip: IS_WINDOWS }, () => {
  const line = `echo nonsense | "$NODE" "$BIN" report --policies /dev/stdin`;
  const { env } = spawnOptions({ env: { NODE: process.execPath, BIN: BINS['keyroster-admin'] } });
  const { stderr } = spawnSync('sh', ['-c', line], { env, encoding: 'utf8', timeout: 30_000 });
  assert.match(stderr, /--policies: .*is not JSON/);
});
