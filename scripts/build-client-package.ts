/**
 * Makes the package `@keyroster/client` in dist/client-package, for `npm pack`: what tsc made of src/client, with its
 * package.json and README.md, and docs/api.md. What it shares with the package `keyroster` is added from there, so that it is written once.
 */
import { chmodSync, cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const FOLDER = 'dist/client-package';
const manifestOf = (folder: string) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));

mkdirSync(FOLDER);
for (const file of [...globSync('dist/client/*.{js,d.ts}'), 'LICENSE'])
  cpSync(file, `${FOLDER}/${basename(file)}`);
for (const page of ['src/client/README.md', 'docs/api.md'])
  writeFileSync(`${FOLDER}/${basename(page)}`, withLinksInPackage(readFileSync(page, 'utf8')));
const { version, license, repository } = manifestOf('.');
const { name, ...rest } = manifestOf('src/client');
writeFileSync(
  `${FOLDER}/package.json`,
  `${JSON.stringify({ name, version, license, repository, ...rest }, null, 2)}\n`,
);

// npm packs the mode that the umask of whoever cloned and built has left, and each pack has to give the same bytes.
for (const file of readdirSync(FOLDER)) chmodSync(`${FOLDER}/${file}`, 0o644);

/** docs/api.md is beside the README there. Of a link to any other file only the words stay. */
function withLinksInPackage(page: string): string {
  const toApi = page.replaceAll('](../../docs/api.md', '](api.md');
  return toApi.replaceAll(/\[([^\]]+)\]\((?!https?:|#|api\.md)[^)]+\)/g, '$1');
}
