/** Runs all tests (`npm test`), or those of some parts alone (`npm run test:part -- admin`). */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** `test/imports.unit.ts` checks that tests of these need neither PostgreSQL nor Chromium. */
const ALONE = ['client', 'admin', 'shared'];
const PARTS = [...ALONE, 'console', 'operator', 'service'];

const words = process.argv.slice(2);
if (words.join() === 'all') process.exitCode = (await checksAndUnits()) || (await otherTests(['**']));
else if (words.length > 0 && words.every(word => PARTS.includes(word)))
  process.exitCode = (await units(words)) || (await otherTests(words));
else {
  process.stderr.write(`name parts: npm run test:part -- ${PARTS.join(' | ')}\n`);
  process.exitCode = 2;
}

/** The units need one core only, so the checks run beside them. What these say comes after. */
async function checksAndUnits(): Promise<number> {
  const checks = spawn('npm run -s check', { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const [said, checked, tested] = await Promise.all([text(checks.stdout), endOf(checks), units(['**'])]);
  process.stdout.write(said);
  return checked || tested;
}

function units(parts: readonly string[]): Promise<number> {
  return test(['--test-isolation=none'], parts, 'unit');
}

function otherTests(parts: readonly string[]): Promise<number> {
  const setup = parts.every(part => ALONE.includes(part)) ? 'process-setup' : 'global-setup';
  const flags = ['--test-concurrency=6', `--test-global-setup=test/support/${setup}.ts`];
  return test(flags, parts, 'test');
}

function test(flags: readonly string[], parts: readonly string[], ending: string): Promise<number> {
  const files = parts.map(part => `test/${part}/**/*.${ending}.ts`);
  const args = ['--test', '--test-timeout=300000', ...flags, ...files];
  return endOf(spawn(process.execPath, args, { stdio: 'inherit' }));
}

function endOf(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise(resolve => child.once('close', code => resolve(code ?? 1)));
}
