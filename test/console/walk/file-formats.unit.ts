import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Directory } from '../../../src/admin/directory/directory.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { type FileFormatName, fileFormats } from '../../../src/console/walk/file-formats.ts';
import { exampleRecord } from '../../support/example-record.ts';

/** The file of these pages of records. */
function fileOf(name: FileFormatName, ...pages: readonly (readonly object[])[]): string {
  const [first = []] = pages as readonly ApiKeyRecord[][];
  const { head, render, tail } = fileFormats[name].renderer(first[0], {
    brokenBy: () => [],
    directory: new Directory([]),
  });
  return head + pages.map(page => render(page as ApiKeyRecord[])).join('') + (tail?.() ?? '');
}

const declared = { last_used_at: '2024-10-30T23:58:27.427722Z', calls: -7, note: '=<b>1</b>' };
const record = { ...exampleRecord, ...declared };

test('a JSON file has the records as they are, also those of more pages', () => {
  assert.deepEqual(JSON.parse(fileOf('json', [record], [record, record])), [record, record, record]);
  assert.deepEqual(JSON.parse(fileOf('json')), []);
});

test('a CSV file begins with a byte order mark, has declared fields at the end, and no cell that is a formula', () => {
  const other = { ...record, name: 'a "b", c\n', calls: null };
  const [head, first = '', second = ''] = fileOf('csv', [{ ...record, name: '=1+1' }], [other]).split('\n');
  assert.equal(
    head,
    '\uFEFFid,name,created_at,created_by.id,created_by.type,partial_key_hint,status,workspace_id,last_used_at,calls,note',
  );
  assert(first.startsWith(`${record.id},'=1+1,${record.created_at},`), first);
  assert(first.endsWith(`,2024-10-30T23:58:27.427722Z,-7,'=<b>1</b>`), first);
  assert(second.startsWith(`${record.id},"a ""b"", c`), second);
});
