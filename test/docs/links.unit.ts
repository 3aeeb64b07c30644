import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const pages = globSync(['*.md', 'docs/*.md', 'src/*/*.md'], { cwd: ROOT });
const sources = globSync('{src,bench,scripts,test}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['bench/peers/**', 'test/docs/links.unit.ts'],
});

/** The anchors of a page's headings, as GitHub generates them. */
function anchorsOf(page: string): string[] {
  const headings = read(page).matchAll(/^#{1,6} (.+)$/gm);
  return Array.from(headings, ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every heading of the docs that a comment cites exists', () => {
  const cited = sources.flatMap(file =>
    [...read(file).matchAll(/\b(docs\/[a-z-]+\.md)#([\w-]+)/g)].map(([, page = '', anchor = '']) => ({
      file,
      page,
      anchor,
    })),
  );
  assert.ok(cited.length > 5);
  for (const { file, page, anchor } of cited)
    assert.ok(anchorsOf(page).includes(anchor), `${file} cites ${page}#${anchor}`);
});

test('no comment cites a document outside the repository', () => {
  const citing = sources.filter(file =>
    /\((?:spec|contract)[,)]|\bspec, section|contract, "/.test(read(file)),
  );
  assert.deepEqual(citing, []);
});

for (const page of pages)
  test(`every heading and file that ${page} names or links to exists`, () => {
    const text = read(page);
    for (const [, target = '', anchor = ''] of text.matchAll(/\]\((?!https?:)([\w./-]*)#([\w-]+)\)/g)) {
      const linked = target === '' ? page : join(dirname(page), target);
      assert.ok(anchorsOf(linked).includes(anchor), `${basename(page)} links to ${linked}#${anchor}`);
    }
    const named = text.matchAll(/`((?:src|test|bench|scripts|examples|docs|deploy)\/[\w./-]+)`/g);
    const linked = text.matchAll(/\]\((?!https?:|#)([\w./-]+)/g);
    const files = [
      ...[...named].map(([, name = '']) => name),
      ...[...linked].map(([, name = '']) => join(dirname(page), name)),
    ];
    for (const file of files) assert.ok(existsSync(join(ROOT, file)), `there is no ${file}`);
  });
