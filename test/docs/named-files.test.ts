import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const ROOT = new URL('../../', import.meta.url);
const pages = ['./', 'docs/', 'src/client/'].flatMap(folder =>
  readdirSync(new URL(folder, ROOT))
    .filter(name => name.endsWith('.md'))
    .map(name => `${folder}${name}`),
);

for (const page of pages) {
  test(`every file of the project that ${page} names exists`, () => {
    const text = readFileSync(new URL(page, ROOT), 'utf8');
    const named = [...text.matchAll(/`((?:src|test|bench|scripts|examples|docs|deploy)\/[\w./-]+)`/g)].map(
      ([, name]) => name,
    );
    const linked = [...text.matchAll(/\]\((?!https?:|#)([\w./-]+)/g)].map(([, name]) => name);
    for (const name of named) assert.ok(existsSync(new URL(String(name), ROOT)), `there is no ${name}`);
    for (const name of linked)
      assert.ok(existsSync(new URL(String(name), new URL(page, ROOT))), `there is no ${name}`);
  });
}
