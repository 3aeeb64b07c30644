/** Runs the tests of one part alone, or of some: `npm run test:part -- admin`. */
import { spawnSync } from 'node:child_process';

/** `test/imports.unit.ts` checks that tests of these need neither PostgreSQL nor Chromium. */
const ALONE = ['client', 'admin', 'shared'];
const PARTS = [...ALONE, 'console', 'service'];

const parts = process.argv.slice(2);
if (parts.length > 0 && parts.every(part => PARTS.includes(part))) {
  const setup = parts.every(part => ALONE.includes(part)) ? 'process-setup' : 'global-setup';
  const run = (flags: readonly string[], ending: string) => {
    const files = parts.map(part => `test/${part}/**/*.${ending}.ts`);
    const args = ['--test', '--test-timeout=300000', ...flags, ...files];
    return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
  };
  const inProcesses = ['--test-concurrency=6', `--test-global-setup=test/support/${setup}.ts`];
  process.exitCode = run(['--test-isolation=none'], 'unit') || run(inProcesses, 'test');
} else {
  process.stderr.write(`name parts: npm run test:part -- ${PARTS.join(' | ')}\n`);
  process.exitCode = 2;
}
