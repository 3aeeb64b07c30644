import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ConsoleFile, type ConsoleFiles, PAGE } from './console.ts';

/** The package is two folders up, from the sources and from `dist/` alike. */
const FOLDER = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** Reads the built console once, at the start; `null` when it isn't there. */
export async function readConsole(folder = FOLDER): Promise<ConsoleFiles | null> {
  try {
    const names = (await readdir(folder, { recursive: true })).filter(name => extname(name) !== '');
    const files = new Map<string, ConsoleFile>();
    for (const name of names) {
      const content = await readFile(join(folder, name));
      files.set(name.replaceAll(sep, '/'), { content, gzipped: await promisify(gzip)(content) });
    }
    return files.has(PAGE) ? files : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
