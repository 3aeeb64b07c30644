import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * Each part of the project and the parts beside it that it may import from, all of which are above it in this table. The benchmark
 * may also import all of src, and what starts PostgreSQL for the tests. A file belongs to the part with the longest name that fits.
 * docs/architecture.md says why.
 */
const TABLE = `
  src/roster/:
  src/shared/version.ts:
  src/shared/this-machine.ts:
  src/shared/nearest-name.ts:
  src/service/system-user.ts: roster/
  src/client/:
  src/service/conformance/: roster/
  src/formats/: roster/
  src/service/sqlite/: roster/
  src/postgres/: roster/ this-machine.ts nearest-name.ts system-user.ts
  src/service/api/: roster/ version.ts nearest-name.ts
  src/service/server/: roster/ api/
  src/admin/report/: roster/ nearest-name.ts client/ formats/
  src/admin/find/: roster/ client/
  src/console/: roster/ client/ formats/ report/ find/
  src/service/stores.ts: roster/ sqlite/ postgres/
  src/service/options.ts: roster/ nearest-name.ts
  src/service/settings.ts: roster/ api/ stores.ts options.ts
  src/service/writer/: roster/ system-user.ts postgres/ stores.ts options.ts
  src/service/library/: roster/ api/ server/ stores.ts options.ts settings.ts
  src/service/library.ts: roster/ api/ server/ options.ts writer/ library/
  src/shared/command/exit-codes.ts:
  src/admin/cli/small-heap.ts:
  src/shared/command/terminal/: roster/
  src/shared/command/input/: roster/ formats/
  src/cli/options/: roster/ nearest-name.ts system-user.ts formats/ stores.ts options.ts settings.ts find/ cli/terminal/ cli/input/
  src/service/cli/serve/: roster/ api/ server/ cli/input/
  src/admin/cli/connection/: cli/small-heap.ts roster/ this-machine.ts formats/ client/ cli/terminal/ cli/options/ cli/input/
  src/admin/cli/list/: roster/ nearest-name.ts formats/ client/ report/ find/ cli/terminal/ cli/options/ cli/service/
  src/admin/cli/report/: roster/ formats/ client/ report/ cli/terminal/ cli/options/ cli/list/ cli/input/
  src/service/cli/adopt/: roster/ postgres/ stores.ts cli/terminal/ cli/options/ cli/input/
  src/admin/cli/saved/: roster/ formats/ client/ cli/small-heap.ts cli/terminal/ cli/input/ cli/service/
  src/admin/cli/find/: roster/ client/ report/ find/ cli/options/ cli/terminal/
  src/admin/cli/diff/: roster/ formats/ client/ report/ cli/small-heap.ts cli/terminal/
  src/service/cli/import/: roster/ formats/ client/ cli/terminal/ cli/options/ cli/service/ cli/input/
  src/service/cli/feed/: roster/ formats/ cli/terminal/ cli/input/
  src/service/cli/move/: roster/
  src/cli/commands/: roster/ this-machine.ts system-user.ts formats/ api/ server/ client/ report/ find/ stores.ts
    settings.ts cli/exit-codes.ts cli/small-heap.ts cli/terminal/ cli/options/ cli/input/ cli/serve/ cli/service/ cli/list/
    cli/report/ cli/adopt/ cli/saved/ cli/find/ cli/diff/ cli/import/ cli/feed/ cli/move/
  src/service/cli/main.ts: roster/ version.ts client/ cli/exit-codes.ts cli/terminal/ cli/options/ cli/serve/ cli/commands/
  src/service/cli/bin.ts: cli/main.ts
  bench/results/:
  bench/processes/:
  bench/load/: processes/
  bench/roster/: processes/
  bench/servers/: processes/ load/ roster/
  bench/measurements/: results/ processes/ load/ roster/ servers/
  bench/: results/ processes/ load/ roster/ servers/ measurements/`;
const PARTS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  TABLE.split(/\n {2}(?! )/)
    .slice(1)
    .map(row => {
      const [part = '', names = ''] = row.split(':');
      const [root = ''] = part.split(/(?<=\/)/);
      return [part, names.split(/\s+/).flatMap(name => (name ? [root + name] : []))];
    }),
);

/** The files of the project that each file imports, types and dynamic imports too. */
const imports = new Map(
  globSync('{src,bench}/**/*.{ts,tsx}', { cwd: ROOT, exclude: ['bench/peers/**'] }).map(file => [
    file,
    importsOf(file),
  ]),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport\(?) ?'(\.[^']+\.(?:tsx?|css))'/g)];
  return specifiers.map(([, specifier = '']) => join(dirname(file), specifier));
}

describe('what a file of src or bench imports', () => {
  test('is there, so that no import escapes these tests', () => {
    assert.ok(imports.size > 200);
    for (const [file, imported] of imports)
      for (const path of imported) assert.ok(existsSync(join(ROOT, path)), `${file} imports ${path}`);
  });

  test('is of its own part or of one that its part may import', () => {
    const upwards = [...imports].flatMap(([file, imported]) => {
      const part = partOf(file);
      const allowed = [part, ...(PARTS[part] ?? [])];
      const isAllowed = (path: string) =>
        (part.startsWith('bench/') && !path.startsWith('bench/')) || allowed.includes(partOf(path));
      return imported.filter(path => !isAllowed(path)).map(path => `${file} -> ${path}`);
    });
    assert.deepEqual(upwards, []);
  });

  test('follows the order of the parts, in which nothing comes before what it is made of', () => {
    const names = Object.keys(PARTS);
    for (const [part, allowed] of Object.entries(PARTS))
      for (const other of allowed) assert.ok(names.indexOf(other) < names.indexOf(part), `${part}: ${other}`);
  });

  test('of the client is its own files only: it runs wherever there is fetch', () => {
    const foreign = globSync('src/client/*.ts', { cwd: ROOT }).flatMap(file =>
      [
        ...readFileSync(join(ROOT, file), 'utf8').matchAll(/\bfrom '([^.][^']*)'|\bimport\(?'([^.][^']*)'/g),
      ].map(([text]) => `${relative('src/client', file)}: ${text}`),
    );
    assert.deepEqual(foreign, []);
  });

  test('of the console, and of the figures that it shares with the command, has nothing of Node', () => {
    const roots = globSync('src/console/**/*.{ts,tsx}', { cwd: ROOT });
    const reached = new Set([...roots, 'src/admin/report/report-builder.ts']);
    for (const file of reached) for (const path of imports.get(file) ?? []) reached.add(path);
    assert.ok(reached.has('src/admin/report/status-counts.ts'));
    const scripts = [...reached].filter(file => /\.tsx?$/.test(file));
    const ofNode = scripts.filter(file => /['"]node:/.test(readFileSync(join(ROOT, file), 'utf8')));
    assert.deepEqual(ofNode, []);
  });
});

function partOf(file: string): string {
  const fitting = Object.keys(PARTS).filter(part => file.startsWith(part));
  const part = fitting.toSorted((a, b) => b.length - a.length)[0];
  assert.ok(part, `${file} belongs to no part: add it to PARTS and to docs/architecture.md`);
  return part;
}

describe('the imports of src and bench', () => {
  test('have no circle, of types neither', () => assert.deepEqual(circleIn(imports), []));

  test('are seen to have one where there is one', () => {
    const ring = new Map([
      ['a', ['b']],
      ['b', ['c', 'd']],
      ['c', []],
      ['d', ['b']],
    ]);
    assert.deepEqual(circleIn(ring), ['b', 'd', 'b']);
  });

  test('never go from src to bench, test or scripts', () => {
    const away = [...imports].filter(([file, imported]) => {
      return file.startsWith('src/') && imported.some(path => !path.startsWith('src/'));
    });
    assert.deepEqual(away, []);
  });
});

/** The files of a circle, the first again at the end; empty where there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (done.has(file)) return [];
    for (const next of graph.get(file) ?? []) {
      const circle = visit(next, [...path, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const circle = visit(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}
