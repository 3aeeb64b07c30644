/** What each run of tests has, and all that tests without PostgreSQL and Chromium need (`scripts/test-part.ts`). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const RESOLVE_RELATIVE = fileURLToPath(new URL('./resolve-relative.cjs', import.meta.url));

/** Compiling takes a good part of what a test file or a command takes to start, so all of them share a cache. */
const compileCache = mkdtempSync(join(tmpdir(), 'keyroster-compiled-'));

export function globalSetup(): void {
  process.env.NODE_COMPILE_CACHE = compileCache;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require="${RESOLVE_RELATIVE}"`;
}

export function globalTeardown(): void {
  rmSync(compileCache, { recursive: true, force: true });
}
