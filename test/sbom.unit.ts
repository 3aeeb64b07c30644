import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type LockedPackages, sbomOf } from '../scripts/sbom.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const lock: Record<string, LockedPackages[string] & { dev?: boolean; hasInstallScript?: boolean }> =
  JSON.parse(read('package-lock.json')).packages;
const sbom = sbomOf(lock);
const nameIn = (path: string) => String(path.split('node_modules/').pop());

describe('the bill of materials', () => {
  test('has the fields that CycloneDX 1.6 requires, and the package itself', () => {
    const { bomFormat, specVersion, version, metadata } = sbom;
    assert.deepEqual([bomFormat, specVersion, version], ['CycloneDX', '1.6', 1]);
    const { name, purl, licenses } = metadata.component;
    assert.deepEqual([name, licenses], ['keyroster', [{ license: { id: 'Apache-2.0' } }]]);
    assert.match(String(purl), /^pkg:npm\/keyroster@\d/);
    for (const { type, name, version, purl, licenses, hashes } of sbom.components) {
      assert.deepEqual([type, purl], ['library', `pkg:npm/${name.replace('@', '%40')}@${version}`]);
      assert.equal(licenses.length, 1);
      assert.match(String(hashes?.[0]?.content), /^[0-9a-f]{128}$/);
    }
  });

  test('has every package that runs in production, with the version and the hash of the lock file', () => {
    const production = Object.entries(lock).filter(([path, { dev }]) => path !== '' && !dev);
    assert(production.length > 15);
    for (const [path, { version, integrity }] of production) {
      const found = sbom.components.find(each => each.name === nameIn(path) && each.version === version);
      const hex = Buffer.from(String(integrity).replace('sha512-', ''), 'base64').toString('hex');
      assert.deepEqual(found?.hashes, [{ alg: 'SHA-512', content: hex }], path);
    }
  });

  test('has every package whose code is in the console, and no other development dependency', () => {
    const bundled = [...read('dist/console/licenses.md').matchAll(/^## (\S+) - (\S+) \(/gm)];
    const versions = bundled.map(([, name, version]) => `${name}@${version}`);
    const isDevelopment = (component: { name: string; version: string }) =>
      Object.entries(lock).every(
        ([path, { dev, version }]) => dev || nameIn(path) !== component.name || version !== component.version,
      );
    const development = sbom.components
      .filter(isDevelopment)
      .map(({ name, version }) => `${name}@${version}`);
    assert.deepEqual(development.sort(), versions.sort());
  });

  test('follows a package to the version that it gets, and lists a version once', () => {
    const integrity = 'sha512-AAAA';
    const of = (version: string, dependencies = {}) => ({ version, license: 'MIT', integrity, dependencies });
    const { components, dependencies } = sbomOf({
      '': { name: 'own', ...of('1.0.0', { a: '1', c: '1' }) },
      'node_modules/a': of('1.0.0', { b: '2' }),
      'node_modules/a/node_modules/b': of('2.0.0', { c: '1' }),
      'node_modules/b': of('1.0.0'),
      'node_modules/c': of('1.0.0', { '@s/d': '1' }),
      'node_modules/@s/d': of('1.0.0'),
    });
    assert.deepEqual(
      components.map(({ purl }) => purl),
      ['pkg:npm/%40s/d@1.0.0', 'pkg:npm/a@1.0.0', 'pkg:npm/b@2.0.0', 'pkg:npm/c@1.0.0'],
    );
    assert.deepEqual(dependencies.find(({ ref }) => ref === 'pkg:npm/b@2.0.0')?.dependsOn, [
      'pkg:npm/c@1.0.0',
    ]);
  });

  test('has no package with an install script, and the direct ones are of exact versions', () => {
    for (const [path, { hasInstallScript, version }] of Object.entries(lock)) {
      const shipped = sbom.components.some(each => each.name === nameIn(path) && each.version === version);
      assert(!(shipped && hasInstallScript), path);
    }
    const { dependencies, devDependencies } = JSON.parse(read('package.json'));
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      assert.match(String(version), /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
  });
});
