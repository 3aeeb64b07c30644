/** A project that has one of the packages and what it needs, without its optional dependencies, as `npm install` of it alone makes. */
import { cpSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledPackages } from './installed-package.ts';
import { type Scope, temporaryFolder } from './scope.ts';

interface LonePackage {
  /** The project. */
  readonly folder: string;
  /** The names of the installed packages, its own among them. */
  readonly packages: readonly string[];
  /** Of all their files. */
  readonly bytes: number;
}

export type LonePackages = Readonly<Record<'keyroster' | 'admin' | 'client', LonePackage>>;

/** Each as if it were the only one. */
export function lonePackages(scope: Scope, installed: InstalledPackages): LonePackages {
  const of = (which: keyof LonePackages) => lonePackage(scope, installed, installed[which].name);
  return { keyroster: of('keyroster'), admin: of('admin'), client: of('client') };
}

/** Copied from where all packages are installed, which is cheaper than to install each. */
function lonePackage(scope: Scope, { folder: all }: InstalledPackages, name: string): LonePackage {
  const folder = temporaryFolder(scope);
  const packages = neededBy(all, name);
  for (const path of ['package.json', ...packages.map(each => `node_modules/${each}`)])
    cpSync(join(all, path), join(folder, path), { recursive: true });
  const files = globSync('node_modules/**', { cwd: folder }).map(path => statSync(join(folder, path)));
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  return { folder, packages, bytes };
}

function neededBy(folder: string, name: string): string[] {
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const names = new Set([name]);
  for (const each of names) {
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[`node_modules/${each}`];
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) names.add(needed);
  }
  return [...names].sort();
}
