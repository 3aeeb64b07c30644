/** Runs the tests of one part alone, or of some: `npm run test:part -- admin`. */
import { spawnSync } from 'node:child_process';

/** `test/imports.test.ts` checks that tests of these need neither PostgreSQL nor Chromium. */
const ALONE = ['client', 'admin', 'shared'];
const PARTS = [...ALONE, 'console', 'service'];

const parts = process.argv.slice(2);
if (parts.length > 0 && parts.every(part => PARTS.includes(part))) {
  const setup = parts.every(part => ALONE.includes(part)) ? 'process-setup' : 'global-setup';
  const flags = ['--test-timeout=300000', `--test-global-setup=test/support/${setup}.ts`];
  const files = parts.map(part => `test/${part}/**/*.test.ts`);
  const args = ['--test', '--test-concurrency=6', ...flags, ...files];
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
} else {
  process.stderr.write(`name parts: npm run test:part -- ${PARTS.join(' | ')}\n`);
  process.exitCode = 2;
}
