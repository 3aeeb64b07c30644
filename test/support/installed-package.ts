/** The packages as their users have them: made by `npm run packages`, and installed in an empty project. */
import { execFile } from 'node:child_process';
import { cpSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Scope, temporaryFolder } from './scope.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface Packages {
  readonly keyroster: Packed;
  /** `@keyroster/admin` */
  readonly admin: Packed;
  /** `@keyroster/client` */
  readonly client: Packed;
}

export interface InstalledPackages extends Packages {
  /** The project that they are installed in. */
  readonly folder: string;
}

export interface Packed {
  readonly name: string;
  /** What npm names the tarball. */
  readonly filename: string;
  readonly integrity: string;
  /** What is in the tarball. */
  readonly files: readonly { readonly path: string; readonly mode: number }[];
  /** Bytes of the tarball. */
  readonly size: number;
  readonly unpackedSize: number;
}

/** Makes the packages in this folder, of this tree. */
export async function packPackages(folder: string, cwd = ROOT): Promise<Packages> {
  const umask = process.umask(0o077); // an unusual one, which must not be seen in the packages
  const packing = run('npm', ['run', '-s', 'packages', '--', folder, '--json'], { cwd });
  process.umask(umask);
  const { stdout } = await packing;
  const [keyroster, admin, client] = JSON.parse(stdout.slice(stdout.search(/^\[/m))); // skips the output of the build
  return { keyroster, admin, client };
}

/** With the optional dependencies of keyroster. */
export async function installPackages(scope: Scope): Promise<InstalledPackages> {
  const folder = temporaryFolder(scope);
  const packed = await packPackages(folder);
  const files = Object.values<Packed>({ ...packed }).map(({ name, filename }) => [name, `file:${filename}`]);
  const { packages: locked, lockfileVersion } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  );
  const { peerDependencies } = manifestOf('service');
  const dependencies = { ...Object.fromEntries(files), ...peerDependencies };
  const project = { name: 'empty', version: '1.0.0', private: true, type: 'module', dependencies };
  // The lock file that `npm install` would write, but with the versions installed in this project, so that npm takes them from its
  // cache instead of the registry.
  const packages = {
    '': project,
    ...lockOf('service', packed.keyroster),
    ...lockOf('admin', packed.admin),
    ...lockOf('client', packed.client),
    ...Object.fromEntries(
      Object.entries<{ dev?: boolean }>(locked).filter(([path, { dev }]) => path !== '' && !dev),
    ),
  };
  writeJson(join(folder, 'package.json'), project);
  writeJson(join(folder, 'package-lock.json'), { ...project, lockfileVersion, packages });
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
  return { folder, ...packed };
}

function lockOf(part: string, { name, filename, integrity }: Packed) {
  const { version, dependencies, peerDependencies, peerDependenciesMeta, bin, engines } = manifestOf(part);
  const needs = { dependencies, peerDependencies, peerDependenciesMeta };
  const locked = { version, resolved: `file:${filename}`, integrity, ...needs, bin, engines };
  return { [`node_modules/${name}`]: locked };
}

/** As `npm run packages` has just written it. */
const manifestOf = (part: string) =>
  JSON.parse(readFileSync(join(ROOT, 'dist/packages', part, 'package.json'), 'utf8'));

const writeJson = (file: string, value: unknown) => writeFileSync(file, JSON.stringify(value, null, 2));

/** Without their scripts. `undefined` when all are there; else why not, in one line. */
export async function install(folder: string, packages: readonly string[]): Promise<string | undefined> {
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', ...packages];
  try {
    await run('npm', args, { cwd: folder, timeout: 300_000 });
    return undefined;
  } catch (error) {
    const { message } = error as Error;
    const [reason] = /(?<=npm error )code .*/.exec(message) ?? [message];
    return `nothing was tested: npm can't install ${packages.join(', ')}: ${reason}`;
  }
}

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
