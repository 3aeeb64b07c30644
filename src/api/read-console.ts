import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ConsoleFile, type ConsoleFiles, PAGE, VENDOR_IN_PAGE } from './console.ts';

/**
 * The package is two folders up, from the sources and from `dist/` alike. Bundlers take `new URL(…, import.meta.url)` for a file
 * to bundle, and a bundle in CommonJS has no `import.meta.dirname`.
 */
const FOLDER = import.meta.dirname && join(import.meta.dirname, '../../dist/console');

/** Reads the built console once, at the start; `null` when it isn't there. In a bundle the folder may be another's. */
export async function readConsole(folder: string | undefined = FOLDER): Promise<ConsoleFiles | null> {
  if (folder === undefined) return null;
  try {
    const names = (await readdir(folder, { recursive: true })).filter(name => extname(name) !== '');
    const files = new Map<string, ConsoleFile>();
    for (const name of names) {
      const content = await readFile(join(folder, name));
      files.set(name.replaceAll(sep, '/'), { content, gzipped: await promisify(gzip)(content) });
    }
    return files.get(PAGE)?.content.includes(VENDOR_IN_PAGE) ? files : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
