import { readFileSync } from 'node:fs';

/** The examples of this folder that docs/library.md has in its table of servers, each with the package that it is tried with. */
export function triedVersions(folder: string): { readonly file: string; readonly version: string }[] {
  const page = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
  const rows = page.matchAll(
    new RegExp(`^\\| .*?\\[.*?\\]\\(\\.\\./(examples/${folder}/.+?)\\), (\\S+) \\| (\\S+) \\|`, 'gm'),
  );
  return Array.from(rows, ([, file = '', name, version]) => ({ file, version: `${name}@${version}` }));
}
