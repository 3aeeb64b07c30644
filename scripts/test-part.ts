/** Runs the tests of one part alone: `npm run test:part -- admin`. */
import { spawnSync } from 'node:child_process';

/** `test/imports.test.ts` checks that tests of these need neither PostgreSQL nor Chromium. */
const ALONE = ['client', 'admin', 'shared'];
const PARTS = [...ALONE, 'console', 'service'];

const [part = ''] = process.argv.slice(2);
if (PARTS.includes(part)) {
  const setup = ALONE.includes(part) ? 'process-setup' : 'global-setup';
  const flags = ['--test-timeout=300000', `--test-global-setup=test/support/${setup}.ts`];
  const args = ['--test', '--test-concurrency=4', ...flags, `test/${part}/**/*.test.ts`];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
} else {
  process.stderr.write(`name a part: npm run test:part -- ${PARTS.join(' | ')}\n`);
  process.exitCode = 2;
}
