/** The two packages as their users have them: packed by npm and installed in an empty project. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Scope, temporaryFolder } from './scope.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface InstalledPackages {
  /** The project that they are installed in. */
  readonly folder: string;
  readonly keyroster: Packed;
  /** `@keyroster/client` */
  readonly client: Packed;
}

interface Packed {
  /** What npm names the tarball. */
  readonly filename: string;
  readonly integrity: string;
  /** What is in the tarball. */
  readonly files: readonly { readonly path: string; readonly mode: number }[];
  /** Bytes of the tarball. */
  readonly size: number;
}

/** Packs both packages into this folder. `npm pack` of the first builds the folder of the second. */
export async function packPackages(folder: string): Promise<Omit<InstalledPackages, 'folder'>> {
  const keyroster = await pack('.', folder);
  return { keyroster, client: await pack('./dist/client-package', folder) };
}

async function pack(what: string, folder: string): Promise<Packed> {
  const umask = process.umask(0o077); // an unusual one, which must not be seen in the package
  const packing = run('npm', ['pack', what, '--json', '--pack-destination', folder], { cwd: ROOT });
  process.umask(umask);
  const { stdout } = await packing;
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m))); // skips the output of the build
  return packed;
}

export async function installPackages(scope: Scope): Promise<InstalledPackages> {
  const folder = temporaryFolder(scope);
  const packed = await packPackages(folder);
  const { keyroster, client } = packed;
  const dependencies = {
    keyroster: `file:${keyroster.filename}`,
    '@keyroster/client': `file:${client.filename}`,
  };
  const project = { name: 'empty', version: '1.0.0', private: true, type: 'module', dependencies };
  writeJson(join(folder, 'package.json'), project);
  writeJson(join(folder, 'package-lock.json'), lockOf(project, packed));
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
  return { folder, ...packed };
}

/**
 * The lock file that `npm install` would write, but with the versions installed in this project, so that npm takes them
 * from its cache instead of the registry.
 */
function lockOf(
  project: { readonly dependencies: Readonly<Record<'keyroster' | '@keyroster/client', string>> },
  { keyroster, client }: Omit<InstalledPackages, 'folder'>,
) {
  const own = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { version, dependencies, bin, engines } = own.packages[''];
  const needed = Object.entries<{ dev?: boolean }>(own.packages).filter(
    ([path, { dev }]) => path !== '' && !dev,
  );
  const packed = (name: keyof typeof project.dependencies, { integrity }: Packed) => ({
    version,
    resolved: project.dependencies[name],
    integrity,
  });
  return {
    name: 'empty',
    version: '1.0.0',
    lockfileVersion: own.lockfileVersion,
    packages: {
      '': project,
      'node_modules/keyroster': { ...packed('keyroster', keyroster), dependencies, bin, engines },
      'node_modules/@keyroster/client': packed('@keyroster/client', client),
      ...Object.fromEntries(needed),
    },
  };
}

const writeJson = (file: string, value: unknown) => writeFileSync(file, JSON.stringify(value, null, 2));
