import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
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
  src/client/:
  src/shared/version.ts:
  src/shared/this-machine.ts:
  src/shared/nearest-name.ts:
  src/shared/files.ts:
  src/shared/record/:
  src/shared/formats/: shared/record/
  src/shared/command/: shared/version.ts shared/nearest-name.ts shared/record/ shared/formats/
  src/admin/directory/: shared/record/ shared/formats/
  src/admin/find/: shared/record/ client/
  src/admin/report/: shared/nearest-name.ts shared/record/ shared/formats/ client/ admin/directory/ admin/find/
  src/admin/saved/: shared/record/ shared/formats/ client/ admin/find/ admin/report/
  src/console/: shared/record/ shared/formats/ client/ admin/directory/ admin/report/ admin/find/ admin/saved/
  src/admin/cli/private-file.ts: shared/files.ts shared/record/
  src/admin/cli/connection/: shared/ client/ admin/directory/ admin/report/ admin/cli/private-file.ts
  src/admin/cli/saved/: shared/ client/ admin/report/ admin/saved/ admin/cli/connection/
  src/admin/cli/source.ts: shared/ client/ admin/cli/connection/ admin/cli/saved/
  src/admin/cli/list/: shared/ client/ admin/directory/ admin/report/ admin/find/ admin/cli/connection/ admin/cli/source.ts
  src/admin/cli/report/: shared/ client/ admin/directory/ admin/report/ admin/cli/list/ admin/cli/connection/ admin/cli/private-file.ts
  src/admin/cli/find/: shared/ client/ admin/directory/ admin/report/ admin/find/
  src/admin/cli/diff/: shared/ client/ admin/directory/ admin/find/ admin/report/ admin/saved/ admin/cli/connection/
  src/admin/cli/commands/: shared/ client/ admin/
  src/admin/cli/main.ts: shared/ client/ admin/cli/connection/ admin/cli/commands/
  src/admin/cli/bin.ts: admin/cli/main.ts
  src/service/roster/: shared/record/
  src/service/system-user.ts: service/roster/
  src/service/optional-packages.ts: shared/record/
  src/service/expiring-cache.ts:
  src/service/with-timeout.ts:
  src/service/options.ts: shared/nearest-name.ts shared/record/
  src/service/serving-settings.ts: shared/record/ service/roster/ service/options.ts
  src/service/conformance/: shared/record/ service/roster/ service/with-timeout.ts service/options.ts
  src/service/sqlite/: shared/files.ts shared/record/ service/roster/
  src/service/postgres/: shared/this-machine.ts shared/nearest-name.ts shared/record/ service/roster/ service/system-user.ts service/optional-packages.ts service/expiring-cache.ts
  src/service/api/: shared/version.ts shared/nearest-name.ts shared/record/ service/roster/ service/serving-settings.ts
  src/service/server/: service/roster/ service/serving-settings.ts service/api/
  src/service/stores.ts: shared/record/ service/roster/ service/optional-packages.ts service/sqlite/ service/postgres/
  src/service/lazy-reader.ts: service/roster/ service/with-timeout.ts
  src/service/settings.ts: service/options.ts service/stores.ts service/serving-settings.ts
  src/service/writer/: shared/record/ service/roster/ service/system-user.ts service/options.ts service/postgres/ service/stores.ts
  src/service/library/: shared/this-machine.ts shared/record/ service/roster/ service/optional-packages.ts service/expiring-cache.ts service/with-timeout.ts service/options.ts service/api/ service/server/ service/lazy-reader.ts service/serving-settings.ts service/settings.ts service/writer/
  src/operator/options/: shared/nearest-name.ts shared/command/ service/roster/ service/system-user.ts service/options.ts service/api/ service/stores.ts service/serving-settings.ts service/settings.ts
  src/operator/serve/: shared/this-machine.ts shared/version.ts shared/record/ shared/command/ service/roster/ service/optional-packages.ts service/api/ service/server/ service/stores.ts service/lazy-reader.ts operator/options/
  src/operator/adopt/: shared/record/ shared/command/ service/roster/ service/postgres/ service/stores.ts operator/options/
  src/operator/check-store.ts: service/roster/ service/stores.ts operator/adopt/
  src/operator/import/: shared/record/ shared/formats/ shared/command/ service/roster/
  src/operator/feed/: shared/record/ shared/formats/ shared/command/ service/roster/ operator/import/
  src/operator/move/: shared/record/ service/roster/
  src/operator/restore/: shared/record/ shared/formats/ shared/command/ service/roster/
  src/operator/commands/: shared/record/ shared/formats/ shared/command/ service/roster/ service/system-user.ts service/api/ service/server/ service/stores.ts service/settings.ts operator/options/ operator/serve/ operator/adopt/ operator/check-store.ts operator/import/ operator/feed/ operator/move/ operator/restore/
  src/operator/main.ts: shared/command/ service/roster/ service/serving-settings.ts service/settings.ts operator/serve/ operator/commands/
  src/operator/bin.ts: operator/main.ts
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

function importsOf(file: string, { types = true, addresses = true } = {}): string[] {
  const whole = readFileSync(join(ROOT, file), 'utf8');
  const source = addresses ? whole : whole.replaceAll(/\bnew\s+URL\(/g, '(');
  const text = types ? source : source.replaceAll(/^import type [^;]+;/gm, '');
  const files = specifiersIn(text).filter(specifier => /^\..*\.(?:tsx?|css|[cm]?js)$/.test(specifier));
  return files.map(specifier => join(dirname(file), specifier));
}

/** What a module names in an import of any kind, or as the address of another file. */
function specifiersIn(text: string): string[] {
  const named = /\b(?:from|import|(?:import|require|new\s+URL)\s*\()\s*(['"`])([^'"`\n]+)\1/g;
  return [...text.matchAll(named)].map(([, , specifier = '']) => specifier);
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
        (part.startsWith('bench/') && !path.startsWith('bench/')) ||
        allowed.some(each => path.startsWith(each));
      return imported.filter(path => !isAllowed(path)).map(path => `${file} -> ${path}`);
    });
    assert.deepEqual(upwards, []);
  });

  test('in pages/ is nothing of writes/: what the GET reads knows no way to write', () => {
    const pages = [...imports].filter(([file]) => file.includes('/pages/'));
    assert.ok(pages.length > 15);
    assert.deepEqual(
      pages.filter(([, imported]) => imported.some(path => path.includes('/writes/'))),
      [],
    );
  });

  test('follows the order of the parts, in which nothing comes before what it is made of', () => {
    const names = Object.keys(PARTS);
    for (const [part, allowed] of Object.entries(PARTS))
      for (const other of allowed) assert.ok(names.indexOf(other) < names.indexOf(part), `${part}: ${other}`);
  });

  test('of the client is its own files only: it runs wherever there is fetch', () => {
    const foreign = globSync('src/client/*.ts', { cwd: ROOT }).flatMap(file =>
      specifiersIn(readFileSync(join(ROOT, file), 'utf8'))
        .filter(specifier => !specifier.startsWith('.'))
        .map(specifier => `${relative('src/client', file)}: ${specifier}`),
    );
    assert.deepEqual(foreign, []);
  });

  test('of the console, and of the figures that it shares with the command, has nothing of Node', () => {
    const roots = globSync('src/console/**/*.{ts,tsx}', { cwd: ROOT });
    const reached = new Set([...roots, 'src/admin/report/report-builder.ts']);
    for (const file of reached) for (const path of imports.get(file) ?? []) reached.add(path);
    assert.ok(reached.has('src/admin/report/status-counts.ts'));
    const scripts = [...reached].filter(file => /\.tsx?$/.test(file));
    const ofNode = scripts.filter(file =>
      specifiersIn(readFileSync(join(ROOT, file), 'utf8')).some(specifier => isBuiltin(specifier)),
    );
    assert.deepEqual(ofNode, []);
  });
});

function partOf(file: string): string {
  const fitting = Object.keys(PARTS).filter(part => file.startsWith(part));
  const part = fitting.toSorted((a, b) => b.length - a.length)[0];
  assert.ok(part, `${file} belongs to no part: add it to PARTS and to docs/architecture.md`);
  return part;
}

test('what tests of the client, of the admin and of shared code import starts no PostgreSQL and no Chromium', () => {
  const reached = new Set(globSync('test/{admin,client,shared}/**/*.ts', { cwd: ROOT }));
  assert.ok(reached.size > 50);
  for (const file of reached)
    for (const path of importsOf(file, { types: false })) if (path.startsWith('test/')) reached.add(path);
  assert.ok(reached.has('test/support/roster.ts'));
  for (const name of ['postgres', 'chromium']) assert.ok(!reached.has(`test/support/${name}.ts`), name);
});

describe('the imports of src and bench', () => {
  test('have no circle, of types neither', () => {
    // A file that another process or thread runs, by its address, may import from who starts it.
    const files = Array.from(imports.keys(), file => [file, importsOf(file, { addresses: false })] as const);
    assert.deepEqual(circlesIn(new Map(files)), []);
  });

  test('never go from src to bench, test or scripts', () => {
    const away = [...imports].filter(([file, imported]) => {
      return file.startsWith('src/') && imported.some(path => !path.startsWith('src/'));
    });
    assert.deepEqual(away, []);
  });
});

/** The files of all circles, and those that import them; empty where there is none. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const left = new Map(graph);
  for (;;) {
    const free = [...left].filter(([, imported]) => !imported.some(file => left.has(file)));
    if (free.length === 0) return [...left.keys()];
    for (const [file] of free) left.delete(file);
  }
}
