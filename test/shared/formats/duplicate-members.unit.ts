import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readJsonLines } from '../../../src/service/formats/read-json-lines.ts';
import { duplicateMembers } from '../../../src/shared/formats/duplicate-members.ts';
import { linesOf, OF_ONE } from '../../support/chunks.ts';
import { record } from '../../support/import-file.ts';

test('the duplicate members of a JSON text are told by their paths', () => {
  for (const [text, duplicates] of [
    ['{"id":1,"id":2,"id":3,"a":1,"a":2}', ['id', 'a']],
    [' { "id" : 1 ,\t"\\u0069d"\n:2}', ['id']],
    ['{"created_by":{"id":1,"id":2},"id":1}', ['created_by.id']],
    ['{"a":[{"b":{"c":1,"c":2}},{"b":1,"b":2}]}', ['a.b.c', 'a.b']],
    ['[{"a":1},{"a":1}]', []],
  ] as const) {
    JSON.parse(text);
    assert.deepEqual(duplicateMembers(text), duplicates, text);
  }
});

/** A JSON text, with every object as its members, which may have one name several times. */
const { json } = fc.letrec<{ json: { text: string; repeats: boolean } }>(tie => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.json({ maxDepth: 0 }).map(text => ({ text, repeats: false })),
    fc.array(tie('json'), { maxLength: 3 }).map(all => ({
      text: `[${all.map(({ text }) => text).join(' , ')}]`,
      repeats: all.some(({ repeats }) => repeats),
    })),
    fc
      .array(fc.tuple(fc.constantFrom('id', 'a', '"', '\\', '{', '}:', ''), fc.boolean(), tie('json')), {
        maxLength: 4,
      })
      .map(members => ({
        text: `{${members.map(([name, escaped, { text }]) => `${quoted(name, escaped)} :${text}`).join(',')}}`,
        repeats:
          new Set(members.map(([name]) => name)).size < members.length ||
          members.some(([, , { repeats }]) => repeats),
      })),
  ),
}));

function quoted(name: string, escaped: boolean): string {
  const units = Array.from(name, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped ? `"${units.join('')}"` : JSON.stringify(name);
}

test('any JSON text has a duplicate member exactly where one of its objects has a name twice', () => {
  const property = fc.property(json, ({ text, repeats }) => {
    JSON.parse(text);
    assert.equal(duplicateMembers(text).length > 0, repeats, text);
  });
  fc.assert(property, { numRuns: 1_000 });
});

test('a line with a member twice is refused, and the fault has its name and no value', async () => {
  const text = JSON.stringify(record('k1'));
  const lines = [
    text,
    text.replace('{', '{"id":"secret",'),
    text.replace('"created_by":{', '"created_by":{"id":"secret",'),
    text.replace('{', '{"id":"secret","status":"unknown",'),
  ];
  const read = await linesOf(readJsonLines(chunksOf(lines.join('\n')), OF_ONE));
  const faults = read.map(line => ('faults' in line ? line.faults : []));
  const problem = 'is there more than once: leave one';
  const of = (field: string) => ({ field, problem });
  assert.deepEqual(faults, [[], [of('id')], [of('created_by.id')], [of('id'), of('status')]]);
});

async function* chunksOf(text: string) {
  yield Buffer.from(text);
}
