/**
 * Completes `dist` for `npm pack`: adds the bill of materials, and gives each file of the package one mode. npm packs the mode
 * that the umask of whoever cloned and built has left, so the same commit would give different packages.
 */
import { chmodSync, globSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { printedSbom } from './sbom.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
writeFileSync('dist/sbom.cdx.json', printedSbom());
for (const path of globSync(['package.json', 'README.md', 'LICENSE', 'examples/**', 'dist/**']))
  if (statSync(path).isFile()) chmodSync(path, 0o644);
