/**
 * Makes the packages from the built tree: `npm run packages -- DIR [OPTION…]` writes a tarball of each into the folder. The options
 * are those of `npm pack`, such as --json.
 *
 * Each has a package.json and a README.md in its folder of src. Its code is what its `bin` and `exports` reach by imports in dist,
 * with the declarations of what it exports. The other packages that its code imports are its dependencies, in the versions of the
 * project. `files` are added to it, by their paths in the project.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeFrom } from './package-code.ts';
import { withLinksInPackage } from './package-links.ts';
import { printedSbom } from './sbom.ts';

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string>>;
  /** Of those below, if another range than from the project's version up. */
  readonly peerDependencies?: Readonly<Record<string, string>>;
  /** Dependencies that a user installs if they are needed. */
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: true }>>;
  /** Patterns of paths. */
  readonly files: readonly string[];
}

const [into = '', ...options] = process.argv.slice(2);
if (/^(-|$)/.test(into)) refuse('which folder is for the packages?');
const destination = resolve(into);
try {
  mkdirSync(destination, { recursive: true });
} catch (error) {
  refuse(`${into} can't be made a folder (${(error as NodeJS.ErrnoException).code}): name another one:`);
}
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { version, license, repository, dependencies: versions } = readJson('package.json');
const folders = ['service', 'admin', 'client'].map(assemble);
const args = ['pack', ...folders, '--pack-destination', destination, ...options];
execFileSync('npm', args, { stdio: 'inherit' });

/** Fills the folder that npm packs, and returns its path. */
function assemble(part: string): string {
  const folder = `./dist/packages/${part}`;
  const { name, files, ...rest }: Manifest = readJson(`src/${part}/package.json`);
  const { code, packages } = codeOf(rest);
  const [needed, peers] = dependenciesOf(name, packages, Object.keys(rest.peerDependenciesMeta ?? {}));

  const added = globSync([...files, 'LICENSE']).filter(path => statSync(path).isFile());
  const places = new Map([...code, ...added].map(path => [path, path]));
  places.set(`src/${part}/README.md`, 'README.md');
  for (const [path, place] of places) {
    const content = readFileSync(path);
    write(
      join(folder, place),
      path.endsWith('.md') ? withLinksInPackage(path, `${content}`, places) : content,
    );
  }

  const dependencies = { ...needed, ...peers };
  if (part === 'service')
    write(join(folder, 'dist/sbom.cdx.json'), printedSbom({ name, version, license, dependencies }));
  const ranges = Object.entries(peers).map(([peer, exact]) => [
    peer,
    rest.peerDependencies?.[peer] ?? `^${exact}`,
  ]);
  const manifest = {
    ...{ name, version, license, repository, ...rest },
    ...(packages.length > 0 && { dependencies: needed }),
    ...(ranges.length > 0 && { peerDependencies: Object.fromEntries(ranges) }),
  };
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}

function codeOf({ bin = {}, exports }: Pick<Manifest, 'bin' | 'exports'>) {
  const exported = Object.values(exports).filter(path => path.endsWith('.js'));
  const types = exported.map(path => path.replace(/js$/, 'd.ts'));
  return codeFrom([...Object.values(bin), ...exported, ...types].map(path => join(path)));
}

/** The versions of the packages that are always needed, and of those that a user may leave out. */
function dependenciesOf(name: string, packages: readonly string[], optional: readonly string[]) {
  const unknown = [
    ...packages.filter(each => !versions[each]),
    ...optional.filter(each => !packages.includes(each)),
  ];
  if (unknown.length > 0)
    throw new Error(`${name}: not both imported and among the dependencies of package.json: ${unknown}`);
  const versionsOf = (chosen: readonly string[]) =>
    Object.fromEntries(chosen.map(each => [each, versions[each]]));
  return [versionsOf(packages.filter(each => !optional.includes(each))), versionsOf(optional)] as const;
}

function refuse(why: string): never {
  process.stderr.write(`${why} npm run packages -- DIR\n`);
  process.exit(2);
}

/** npm packs the mode that the umask of whoever cloned and built has left, and each pack has to give the same bytes. */
function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  chmodSync(path, 0o644);
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
