/** Builds the web console into dist/console unless it is up to date: `npm run console`. */
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const OUT = pathOf('../dist/console');
const PAGE = join(OUT, 'index.html');
/** What the console is made of: its imports stay in these. */
const SOURCES = [
  '../src/console',
  '../src/client',
  '../src/admin/directory',
  '../src/admin/find',
  '../src/admin/report',
  '../src/admin/saved',
  '../src/shared',
  '../package-lock.json',
  './build-console.ts',
].map(pathOf);

export async function buildConsole(): Promise<void> {
  const built = await newestMtime([PAGE]);
  if (built > (await newestMtime(SOURCES)) && built >= (await newestMtime([OUT]))) return;
  // Imported only now: a console that is up to date needs no development dependency.
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'warn',
    root: pathOf('../src/console'),
    base: './', // relative links work under any prefix of a proxy
    build: {
      outDir: OUT,
      emptyOutDir: true,
      assetsInlineLimit: 0, // the Content-Security-Policy doesn't allow data: URLs
      modulePreload: false,
      reportCompressedSize: false,
      license: { fileName: 'licenses.md' }, // of the bundled packages
    },
  });
  // Newer than all beside it, so that whatever is put there later is noticed, and removed: it would be packed.
  const last = new Date(Date.now() + 1);
  await utimes(PAGE, last, last);
}

/** The time of the latest change in these files and folders, in milliseconds; 0 when there are none. */
async function newestMtime(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(
    paths.map(async path => {
      const found = await stat(path).catch(() => undefined);
      if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
      const names = await readdir(path);
      return Math.max(found.mtimeMs, await newestMtime(names.map(name => join(path, name))));
    }),
  );
  return Math.max(0, ...times);
}

if (import.meta.main)
  await buildConsole().catch(error => {
    if (!/^Cannot find package 'vite'/.test(error.message)) throw error;
    process.stderr.write(
      'keyroster: the web console is built by development dependencies: run npm ci without --omit=dev first\n',
    );
    process.exitCode = 1;
  });
