/** The doors to the API beside `serve`: what each of them answers is compared with what `serve` does. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { describeFramework, sqlitePlace } from '../support/describe-framework.ts';
import { EXAMPLES, frameworks } from '../support/frameworks.ts';
import { rounds } from '../support/rounds.ts';
import { temporaryFolder } from '../support/scope.ts';

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** One over `handle`, with a framework that reads bodies, and one over `fetch`; `more-rounds.soak.ts` has all. */
const TRIED = ['express', 'hono'];

/** test/examples/frameworks.soak.ts has those with packages of their own. */
const here = frameworks.filter(({ packages }) => !packages);
for (const framework of here.filter(({ example }) => rounds(1) > 1 || TRIED.includes(example)))
  describeFramework(framework, { SQLite: sqlitePlace }, scope => {
    const folder = temporaryFolder(scope);
    symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
    return { folder };
  });

test('every server of the examples is tried, and has at most 10 lines besides its imports', () => {
  const files = readdirSync(EXAMPLES).toSorted();
  assert.deepEqual(files, [...new Set(frameworks.map(({ example }) => `${example}.js`))].toSorted());
  for (const file of files) {
    const lines = readFileSync(new URL(file, EXAMPLES), 'utf8').split('\n');
    const own = lines.filter(line => line !== '' && !/^(import|\s*\/[/*])/.test(line));
    assert.ok(own.length <= 10, `${file}: ${own.length}`);
  }
});

test('docs/library.md has the versions that are tried, and their codings', () => {
  const page = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
  const rows = page.matchAll(/^\| .*\/servers\/(.+)\.js\) \| (.+?) \| (.+?) \|/gm);
  assert.deepEqual(
    Array.from(rows, ([, ...cells]) => cells),
    frameworks.map(({ example, version, codings }) => [example, version, codings]),
  );
});
