import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildConsole } from '../../../scripts/build-console.ts';
import { readConsole } from '../../../src/service/api/console.ts';
import { MIN_BYTES_TO_COMPRESS } from '../../../src/service/api/limits.ts';
import { Service } from '../../../src/service/server/service.ts';
import { parseVendor, type Vendor } from '../../../src/shared/record/vendor.ts';
import { type Scope, suiteScope, temporaryFolder } from '../../support/scope.ts';
import { stubReader } from '../../support/service.ts';

const suite = suiteScope();
await buildConsole();
const built = (await readConsole()) ?? assert.fail('the console is not built');
const { files } = built;
const url = await serve(suite, built);
const page = String(files.get('index.html'));
const [script = ''] = /assets\/index-[^"]+\.js/.exec(page) ?? [];

async function serve(scope: Scope, console: typeof built | null, vendor = 'vendor'): Promise<string> {
  const service = new Service({
    roster: stubReader().reader,
    vendor: parseVendor(vendor) as Vendor,
    console,
  });
  scope.after(() => service.close());
  return service.listen({ host: '127.0.0.1', port: 0 });
}

test("every view is the page, which is never cached, runs no other origin's code and can't be framed", async () => {
  for (const path of ['/console/', '/console/roster', '/console/find', '/console/?status=active']) {
    const answer = await fetch(url + path);
    assert.equal(answer.status, 200, path);
    assert.equal(await answer.text(), page);
    const headers = Object.fromEntries(answer.headers);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'",
    );
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(headers['request-id'] ?? '', /^req_/);
  }
});

test('the page has no inline script or style, and names no other origin', () => {
  assert.doesNotMatch(page, /<script(?![^>]*\bsrc=)|<style|style=|\bon\w+=|https?:/);
});

test('the page names the vendor of the service', async t => {
  const answer = await fetch(`${await serve(t, built, 'acme')}/console/`);
  assert.match(await answer.text(), /<meta name="keyroster-vendor" content="acme" \/>/);
});

test('a hashed file may be cached for a year, and a large one is compressed for clients that accept gzip', async () => {
  for (const name of [...files.keys()].filter(name => name.startsWith('assets/'))) {
    for (const [accept, encoding] of [
      ['gzip, deflate, br, zstd', 'gzip'],
      ['identity', null],
      ['gzip;q=0', null],
    ] as const) {
      const answer = await fetch(`${url}/console/${name}`, { headers: { 'accept-encoding': accept } });
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      const isLarge = Number(files.get(name)?.length) >= MIN_BYTES_TO_COMPRESS;
      assert.equal(answer.headers.get('content-encoding'), isLarge ? encoding : null, `${name}: ${accept}`);
      assert.equal(answer.headers.get('vary'), isLarge ? 'accept-encoding' : null);
      assert.match(answer.headers.get('content-type') ?? '', /^(text\/(javascript|css)|image\/svg\+xml)/);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), files.get(name)); // fetch has decoded it
    }
  }
});

test('the page loads one file of less than 52 KB of compressed JavaScript', () => {
  assert.equal(page.match(/<script/g)?.length, 1);
  assert.doesNotMatch(page, /modulepreload/);
  const compressed = gzipSync(files.get(script) ?? '').length;
  assert(compressed < 52_000, `${compressed} bytes`);
  assert.deepEqual(
    [...files.keys()].filter(name => name.endsWith('.js')),
    [script],
  );
});

test('/console redirects to /console/, under any prefix of a proxy, and a view with a final slash to the view', async () => {
  const redirects = { '/console': 'console/', '/console/roster/': '../roster', '/console/find/': '../find' };
  for (const [path, location] of Object.entries(redirects)) {
    const answer = await fetch(url + path, { redirect: 'manual' });
    assert.equal(answer.status, 308);
    assert.equal(answer.headers.get('location'), location);
  }
});

test('a path that is no file of the console gets a 404 in the error envelope', async () => {
  const paths = [
    ...['/console/index.html', '/console/assets', '/console/roster/nothing', '/console/../package.json'],
    ...['/console/%2e%2e/%2e%2e/package.json', '/console/assets/..%2findex.html', `/console/${script}.gz`],
  ];
  for (const path of paths) {
    const answer = await fetch(url + path);
    assert.equal(answer.status, 404, path);
    const { error, request_id } = (await answer.json()) as { error: { type: string }; request_id: string };
    assert.equal(error.type, 'not_found_error');
    assert.equal(request_id, answer.headers.get('request-id'));
  }
});

test('HEAD answers like GET without a body, and any other method is refused', async () => {
  for (const path of ['/console', '/console/', '/console/roster', `/console/${script}`]) {
    const head = await fetch(url + path, { method: 'HEAD', redirect: 'manual' });
    assert.equal(head.status, path === '/console' ? 308 : 200);
    assert.equal(await head.text(), '');
    const post = await fetch(url + path, { method: 'POST', body: 'x' });
    assert.equal(post.status, 405);
    assert.equal(post.headers.get('allow'), 'GET, HEAD');
  }
});

test('without a console its paths are not found', async t => {
  const bare = await serve(t, null);
  for (const path of ['/console', '/console/', `/console/${script}`]) {
    assert.equal((await fetch(bare + path)).status, 404);
    assert.equal((await fetch(bare + path, { method: 'POST' })).status, 404);
  }
});

test("a missing folder, one without a page, or one with another's page has no console", async t => {
  const folder = temporaryFolder(t);
  assert.equal(await readConsole(join(folder, 'missing')), null);
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'index.js'), '');
  assert.equal(await readConsole(folder), null);
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Internal</title>');
  assert.equal(await readConsole(folder), null);
});
