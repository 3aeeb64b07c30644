/**
 * The package's bill of materials in the form of CycloneDX 1.6, from the lock file alone: the packages that run in production, and
 * those whose code is in the built console. It has no time and no serial number, so the same lock file gives the same text.
 *
 * `npm sbom --omit dev` leaves out production packages that are a development dependency too, such as ajv.
 */
import { readFileSync } from 'node:fs';

/** Development dependencies of which Vite puts code into the console. */
const IN_THE_CONSOLE = ['preact'];

/** An entry of `packages` in package-lock.json. */
interface LockedPackage {
  readonly name?: string;
  readonly version: string;
  readonly license: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** By path: `''` is the package itself, and `node_modules/a/node_modules/b` is what only `a` gets as `b`. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Of a package of the project that has these dependencies. */
export function printedSbom(own: LockedPackage): string {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  return `${JSON.stringify(sbomOf({ ...packages, '': own }), null, 2)}\n`;
}

export function sbomOf(lock: LockedPackages) {
  const needs = neededFrom(lock);
  const [own, ...components] = [...needs.keys()].map(path => componentOf(lock, path));
  const dependencies = [...needs].map(([path, needed]) => ({
    ref: purlOf(lock, path),
    dependsOn: unique(needed.map(other => purlOf(lock, other))).sort(),
  }));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...own, type: 'application' } },
    components: byPurl(components, component => component.purl),
    dependencies: byPurl(dependencies, ({ ref }) => ref),
  };
}

/** The paths of what each package needs: for the package itself, and all that it needs directly or not. */
function neededFrom(lock: LockedPackages): Map<string, readonly string[]> {
  const needs = new Map<string, readonly string[]>([['', neededBy(lock, '', IN_THE_CONSOLE)]]);
  for (const paths of needs.values())
    for (const path of paths) if (!needs.has(path)) needs.set(path, neededBy(lock, path));
  return needs;
}

function neededBy(lock: LockedPackages, path: string, more: readonly string[] = []): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = lockedAt(lock, path);
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return [...names, ...more].map(name => find(lock, path, name)).filter(found => found !== undefined);
}

/** As Node looks a package up: in the nearest `node_modules`. `undefined` for an optional one that isn't there. */
function find(lock: LockedPackages, from: string, name: string): string | undefined {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (path in lock) return path;
  return from === ''
    ? undefined
    : find(lock, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

function componentOf(lock: LockedPackages, path: string) {
  const { version, license, integrity } = lockedAt(lock, path);
  const purl = purlOf(lock, path);
  const isId = /^[\w.+-]+$/.test(license);
  return {
    type: 'library',
    'bom-ref': purl,
    name: nameOf(lock, path),
    version,
    purl,
    licenses: [isId ? { license: { id: license } } : { expression: license }],
    ...(path !== '' && { hashes: [hashOf(path, integrity)] }),
  };
}

function hashOf(path: string, integrity = '') {
  const [, content] = /^sha512-(\S+)$/.exec(integrity) ?? [];
  if (content === undefined) throw new Error(`${path}: the lock file has no SHA-512 for it`);
  return { alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') };
}

/** A package URL (https://github.com/package-url/purl-spec). */
function purlOf(lock: LockedPackages, path: string): string {
  return `pkg:npm/${nameOf(lock, path).replace('@', '%40')}@${lockedAt(lock, path).version}`;
}

function nameOf(lock: LockedPackages, path: string): string {
  return lockedAt(lock, path).name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function lockedAt(lock: LockedPackages, path: string): LockedPackage {
  const locked = lock[path];
  if (!locked) throw new Error(`${path}: not in the lock file`);
  return locked;
}

/** One for each package URL, in their order: a version may be installed at several paths. */
function byPurl<T>(all: readonly T[], purl: (each: T) => string): T[] {
  const sorted = all.toSorted((a, b) => (purl(a) < purl(b) ? -1 : 1));
  return sorted.filter((each, at) => at === 0 || purl(each) !== purl(sorted[at - 1] as T));
}

const unique = <T>(all: readonly T[]): T[] => [...new Set(all)];
