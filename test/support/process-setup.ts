/** What each run of tests has, and all that tests without PostgreSQL and Chromium need (`scripts/test.ts`). */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { COMMAND_PROCESSES, type CommandProcess, startSharedProcess } from './command-processes.ts';

const fileHere = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const PRELOADED = fileHere('./resolve-relative.cjs');
const COMPILE_FILES = fileHere('./compile-files.ts');

/** Compiling takes a good part of what a test file or a command takes to start, so all of them share a cache. */
const compileCache = mkdtempSync(join(tmpdir(), 'keyroster-compiled-'));

/** As many as run at the same time (package.json). */
const CONCURRENT_FILES = 6;
let commands: CommandProcess[] = [];

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = compileCache;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require="${PRELOADED}"`;
  // The files of the run are the runner's arguments.
  const files = globSync(process.argv.slice(1));
  await promisify(execFile)(process.execPath, [COMPILE_FILES, ...files]);
  commands = await Promise.all(files.slice(0, CONCURRENT_FILES).map(startSharedProcess));
  process.env[COMMAND_PROCESSES] = commands.map(({ path }) => path).join(' ');
}

export async function globalTeardown(): Promise<void> {
  await Promise.all(commands.map(({ end }) => end()));
  rmSync(compileCache, { recursive: true, force: true });
}
