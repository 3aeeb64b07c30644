/** What each run of tests has, and all that tests without PostgreSQL and Chromium need (`scripts/test-part.ts`). */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const fileHere = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const PRELOADED = fileHere('./resolve-relative.cjs');
const COMPILE_FILES = fileHere('./compile-files.ts');

/** Compiling takes a good part of what a test file or a command takes to start, so all of them share a cache. */
const compileCache = mkdtempSync(join(tmpdir(), 'keyroster-compiled-'));

export async function globalSetup(): Promise<void> {
  process.env.NODE_COMPILE_CACHE = compileCache;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require="${PRELOADED}"`;
  // The files of the run are the runner's arguments.
  await promisify(execFile)(process.execPath, [COMPILE_FILES, ...globSync(process.argv.slice(1))]);
}

export function globalTeardown(): void {
  rmSync(compileCache, { recursive: true, force: true });
}
