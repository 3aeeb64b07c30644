import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertFailed } from '../../support/assert-failed.ts';
import { embeddedStore } from '../../support/embedded-store.ts';
import { importContent, jsonLines, record } from '../../support/import-file.ts';

const { created_by: creator, ...own } = record('k1');
const FIELDS = {
  ...Object.fromEntries(
    Object.keys(own)
      .filter(name => name !== 'type')
      .map(name => [name, name]),
  ),
  'created_by.id': 'created_by.id',
  'created_by.type': { from: 'created_by.kind', values: { person: 'user' } },
};
const source = { ...own, created_by: { id: creator.id, kind: 'person' }, secret: 'of the source' };

test('import --map reads a file with other names and forms', async t => {
  const store = await embeddedStore(t);
  const map = join(store.folder, 'map.json');
  writeFileSync(map, JSON.stringify({ fields: FIELDS }));
  const imported = await importContent(store, jsonLines([source]), '--map', map);
  assert.deepEqual([imported.exitCode, imported.stderr], [0, '']);
  assert.deepEqual(await store.records(), [record('k1')]);
});

test('a name of the map that no line has, and a value that it does not know, are refused, and nothing is imported', async t => {
  const store = await embeddedStore(t);
  const map = join(store.folder, 'map.json');
  writeFileSync(map, JSON.stringify({ fields: { ...FIELDS, name: 'title' } }));
  const args = [store, jsonLines([source]), '--map', map] as const;
  const mistyped = await importContent(...args);
  assert.equal(mistyped.exitCode, 1);
  assert.equal(
    mistyped.stderr,
    'line 1: name: the source has no title\nkeyroster: map: fields.name: no line has title\n',
  );
  writeFileSync(
    map,
    JSON.stringify({ fields: { ...FIELDS, status: { from: 'status', values: { on: 'active' } } } }),
  );
  const { stderr } = await importContent(...args);
  assert.equal(
    stderr,
    'line 1: status: is none of the values of the map\nkeyroster: 1 line(s) refused: nothing was imported\n',
  );
  assert.deepEqual(await store.records(), []);
});

test('a map that is wrong, or that is not there, is wrong usage', async t => {
  const store = await embeddedStore(t);
  const map = join(store.folder, 'map.json');
  const wrong: [string, RegExp][] = [
    ['{', /--map: is not JSON$/m],
    ['{}', /--map: fields: is missing/],
    [`{"fields":${JSON.stringify({ ...FIELDS, id: 5 })}}`, /--map: fields.id: must be the name of a field/],
    [
      `{"fields":${JSON.stringify(FIELDS)},"fields":${JSON.stringify(FIELDS)}}`,
      /--map: fields: is there more than once/,
    ],
  ];
  for (const [content, message] of wrong) {
    writeFileSync(map, content);
    assertFailed(await importContent(store, '', '--map', map), 2, message);
  }
  assertFailed(await importContent(store, '', '--map', `${map}.no`), 2, /--map: can't read .*ENOENT/);
});
