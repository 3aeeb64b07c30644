/** Builds the web console into dist/console, unless what is there is current: `npm run console`. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const OUT = pathOf('../dist/console');
const MADE_OF = ['../src/console', '../src/client', '../package-lock.json', './build-console.ts'].map(pathOf);

export async function buildConsole(): Promise<void> {
  const built = await newest([join(OUT, 'index.html')]);
  if (built > (await newest(MADE_OF))) return;
  // Loaded here: where development's dependencies aren't installed, what was built before can still be served.
  const { build } = await import('vite');
  await build({
    configFile: false,
    logLevel: 'warn',
    root: pathOf('../src/console'),
    base: './', // wherever a proxy puts it
    build: {
      outDir: OUT,
      emptyOutDir: true,
      assetsInlineLimit: 0, // the Content-Security-Policy has no data:
      modulePreload: false,
      reportCompressedSize: false,
      license: { fileName: 'licenses.md' }, // of what the bundle has in it
    },
  });
}

/** When the newest of these files and folders was changed; 0 for none. */
async function newest(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(
    paths.map(async path => {
      const found = await stat(path).catch(() => undefined);
      if (!found?.isDirectory()) return found?.mtimeMs ?? 0;
      const names = await readdir(path);
      return Math.max(found.mtimeMs, await newest(names.map(name => join(path, name))));
    }),
  );
  return Math.max(0, ...times);
}

if (import.meta.main) await buildConsole();
