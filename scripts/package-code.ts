/** The built code of a package: what its entries import, and what that imports in turn. */
import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';

export interface PackageCode {
  /** JavaScript and declarations, by their paths from the project's folder. */
  readonly code: readonly string[];
  /** The names of other packages that they import. */
  readonly packages: readonly string[];
}

/** As tsc prints a static import or export, at the start of a line, and a dynamic one or that of a type. */
const IMPORTS = /^(?:import|export)\s(?:[^'"=;()]*\sfrom\s)?['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm;

export function codeFrom(entries: readonly string[]): PackageCode {
  const files = new Set(entries);
  const packages = new Set<string>();
  for (const file of files)
    for (const [, fixed, dynamic] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      const specifier = String(fixed ?? dynamic);
      if (specifier.startsWith('.')) files.add(importedBy(file, specifier));
      else if (!isBuiltin(specifier)) packages.add(packageOf(specifier));
    }
  return { code: [...files], packages: [...packages].sort() };
}

/** A declaration imports others by the name of their source, which is beside neither. */
function importedBy(file: string, specifier: string): string {
  const path = join(dirname(file), specifier);
  return file.endsWith('.d.ts') ? path.replace(/\.[jt]s$/, '.d.ts') : path;
}

const packageOf = (specifier: string) => String(/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0]);
