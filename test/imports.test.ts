import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/**
 * Each part of the project and the parts that it may import from, all of which are above it in this table. The benchmark may also
 * import all of src, and what starts PostgreSQL for the tests. A file belongs to the part with the longest name that fits. docs/architecture.md says why.
 */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  'src/roster/': [],
  'src/version.ts': [],
  'src/this-machine.ts': [],
  'src/nearest-name.ts': [],
  'src/system-user.ts': ['src/roster/'],
  'src/client/': [],
  'src/conformance/': ['src/roster/'],
  'src/formats/': ['src/roster/'],
  'src/sqlite/': ['src/roster/'],
  'src/postgres/': ['src/roster/', 'src/this-machine.ts', 'src/nearest-name.ts', 'src/system-user.ts'],
  'src/api/': ['src/roster/', 'src/version.ts', 'src/nearest-name.ts'],
  'src/server/': ['src/roster/', 'src/api/'],
  'src/report/': ['src/roster/', 'src/nearest-name.ts', 'src/client/', 'src/formats/'],
  'src/find/': ['src/roster/', 'src/client/'],
  'src/console/': ['src/roster/', 'src/client/', 'src/formats/', 'src/report/', 'src/find/'],
  'src/stores.ts': ['src/roster/', 'src/sqlite/', 'src/postgres/'],
  'src/options.ts': ['src/roster/', 'src/nearest-name.ts'],
  'src/writer/': ['src/roster/', 'src/system-user.ts', 'src/postgres/', 'src/stores.ts', 'src/options.ts'],
  'src/library/': ['src/roster/', 'src/api/', 'src/server/', 'src/stores.ts', 'src/options.ts'],
  'src/library.ts': [
    'src/roster/',
    'src/api/',
    'src/server/',
    'src/stores.ts',
    'src/writer/',
    'src/library/',
  ],
  'src/cli/exit-codes.ts': [],
  'src/cli/small-heap.ts': [],
  'src/cli/terminal/': ['src/roster/'],
  'src/cli/input/': ['src/roster/', 'src/formats/'],
  'src/cli/options/': [
    'src/roster/',
    'src/nearest-name.ts',
    'src/system-user.ts',
    'src/formats/',
    'src/api/',
    'src/stores.ts',
    'src/find/',
    'src/cli/terminal/',
    'src/cli/input/',
  ],
  'src/cli/serve/': ['src/roster/', 'src/api/', 'src/server/', 'src/cli/input/'],
  'src/cli/service/': [
    'src/cli/small-heap.ts',
    'src/roster/',
    'src/this-machine.ts',
    'src/formats/',
    'src/client/',
    'src/cli/terminal/',
    'src/cli/options/',
    'src/cli/input/',
  ],
  'src/cli/list/': [
    'src/roster/',
    'src/nearest-name.ts',
    'src/formats/',
    'src/client/',
    'src/report/',
    'src/find/',
    'src/cli/terminal/',
    'src/cli/options/',
    'src/cli/service/',
  ],
  'src/cli/report/': [
    'src/roster/',
    'src/formats/',
    'src/client/',
    'src/report/',
    'src/cli/terminal/',
    'src/cli/options/',
    'src/cli/list/',
    'src/cli/input/',
  ],
  'src/cli/adopt/': [
    'src/roster/',
    'src/postgres/',
    'src/stores.ts',
    'src/cli/terminal/',
    'src/cli/options/',
    'src/cli/input/',
  ],
  'src/cli/saved/': ['src/roster/', 'src/formats/', 'src/client/', 'src/cli/terminal/', 'src/cli/input/'],
  'src/cli/find/': [
    'src/roster/',
    'src/client/',
    'src/report/',
    'src/find/',
    'src/cli/options/',
    'src/cli/terminal/',
  ],
  'src/cli/diff/': [
    'src/roster/',
    'src/formats/',
    'src/client/',
    'src/report/',
    'src/cli/small-heap.ts',
    'src/cli/terminal/',
  ],
  'src/cli/import/': [
    'src/roster/',
    'src/formats/',
    'src/client/',
    'src/cli/terminal/',
    'src/cli/options/',
    'src/cli/service/',
    'src/cli/input/',
  ],
  'src/cli/feed/': ['src/roster/', 'src/formats/', 'src/cli/terminal/', 'src/cli/input/'],
  'src/cli/move/': ['src/roster/'],
  'src/cli/completion/': [],
  'src/cli/commands/': [
    'src/roster/',
    'src/this-machine.ts',
    'src/system-user.ts',
    'src/formats/',
    'src/api/',
    'src/server/',
    'src/client/',
    'src/report/',
    'src/find/',
    'src/stores.ts',
    'src/cli/exit-codes.ts',
    'src/cli/small-heap.ts',
    'src/cli/terminal/',
    'src/cli/options/',
    'src/cli/input/',
    'src/cli/serve/',
    'src/cli/service/',
    'src/cli/list/',
    'src/cli/report/',
    'src/cli/adopt/',
    'src/cli/saved/',
    'src/cli/find/',
    'src/cli/diff/',
    'src/cli/import/',
    'src/cli/feed/',
    'src/cli/move/',
    'src/cli/completion/',
  ],
  'src/cli/main.ts': [
    'src/roster/',
    'src/version.ts',
    'src/client/',
    'src/cli/exit-codes.ts',
    'src/cli/terminal/',
    'src/cli/options/',
    'src/cli/commands/',
  ],
  'src/cli/bin.ts': ['src/cli/main.ts'],
  'bench/results/': [],
  'bench/processes/': [],
  'bench/load/': ['bench/processes/'],
  'bench/roster/': ['bench/processes/'],
  'bench/servers/': ['bench/processes/', 'bench/load/', 'bench/roster/'],
  'bench/measurements/': [
    'bench/results/',
    'bench/processes/',
    'bench/load/',
    'bench/roster/',
    'bench/servers/',
  ],
  'bench/': [
    'bench/results/',
    'bench/processes/',
    'bench/load/',
    'bench/roster/',
    'bench/servers/',
    'bench/measurements/',
  ],
};

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
    const reached = new Set([...roots, 'src/report/report-builder.ts']);
    for (const file of reached) for (const path of imports.get(file) ?? []) reached.add(path);
    assert.ok(reached.has('src/report/active-ages.ts'));
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
