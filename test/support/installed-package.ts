/** The package as its users have it: packed by npm and installed in an empty project. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Scope, temporaryFolder } from './scope.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface InstalledPackage {
  readonly folder: string;
  /** What npm has packed. */
  readonly tarball: string;
  /** Paths in the tarball. */
  readonly files: readonly string[];
  /** The modes of all its files. */
  readonly modes: ReadonlySet<number>;
  readonly tarballBytes: number;
}

export async function installPackage(scope: Scope): Promise<InstalledPackage> {
  const folder = temporaryFolder(scope);
  const umask = process.umask(0o077); // an unusual one, which must not be seen in the package
  const packing = run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT });
  process.umask(umask);
  const { stdout } = await packing;
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m))); // skips the output of the build
  const { filename, integrity, files, size } = packed;
  const dependencies = { keyroster: `file:${filename}` };
  const project = { name: 'empty', version: '1.0.0', private: true, type: 'module', dependencies };
  writeJson(join(folder, 'package.json'), project);
  writeJson(join(folder, 'package-lock.json'), lockOf(project, integrity));
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: folder });
  return {
    folder,
    tarball: join(folder, filename),
    files: files.map(({ path }: { path: string }) => path),
    modes: new Set(files.map(({ mode }: { mode: number }) => mode)),
    tarballBytes: size,
  };
}

/**
 * The lock file that `npm install` would write, but with the versions installed in this project, so that npm takes them
 * from its cache instead of the registry.
 */
function lockOf(project: { dependencies: { keyroster: string } }, integrity: string) {
  const own = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const { version, dependencies, bin, engines } = own.packages[''];
  const resolved = project.dependencies.keyroster;
  const needed = Object.entries<{ dev?: boolean }>(own.packages).filter(
    ([path, { dev }]) => path !== '' && !dev,
  );
  return {
    name: 'empty',
    version: '1.0.0',
    lockfileVersion: own.lockfileVersion,
    packages: {
      '': project,
      'node_modules/keyroster': { version, resolved, integrity, dependencies, bin, engines },
      ...Object.fromEntries(needed),
    },
  };
}

const writeJson = (file: string, value: unknown) => writeFileSync(file, JSON.stringify(value, null, 2));
