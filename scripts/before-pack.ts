/**
 * Completes `dist` for `npm pack`: adds the bill of materials, and gives each file of the package one mode. npm packs the mode
 * that the umask of whoever cloned and built has left, so the same commit would give different packages.
 */
import { chmodSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printedSbom } from './sbom.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
writeFileSync('dist/sbom.cdx.json', printedSbom());
const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { files: readonly string[] };
// npm packs these three as well, and a folder with all that is in it.
const packed = ['package.json', 'README.md', 'LICENSE', ...files.flatMap(path => [path, `${path}/**`])];
for (const path of globSync(packed)) if (statSync(path).isFile()) chmodSync(path, 0o644);
