import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFile } from '../../../src/console/files/open-file.ts';
import { CSV_COLUMNS } from '../../../src/shared/formats/render-csv.ts';
import { exampleRecord } from '../../support/example-record.ts';

const opened = (content: BlobPart) => openFile(new File([content], 'opened'));

test('a file is taken for what it is, and one that can not be used is told with why', async () => {
  const roster = 'is a saved roster: keyroster-admin diff tells what has changed since';
  for (const [text, kind] of [
    ['{"policies":[]}', 'policies'],
    ['id,name\nuser_1,Ada\n', 'people'],
    ['id,name,created_at,left_on\nuser_1,Ada,2024-01-01,\n', 'people'],
    ['[{"id":"user_1","name":"Ada"}]', 'people'],
    ['', 'is empty'],
    [`\uFEFF${CSV_COLUMNS}\r\n`, roster],
    [JSON.stringify([exampleRecord]), roster],
    [JSON.stringify({ data: [exampleRecord], has_more: false }, null, 2), roster],
    [`${JSON.stringify(exampleRecord)}\n{"id":"k`, roster],
  ] as const) {
    const file = await opened(text);
    assert.equal('problems' in file ? file.problems[0] : file.kind, kind, text);
  }
  assert.deepEqual(await opened(new Uint8Array([0xfc])), {
    problems: ['it is no text in UTF-8 or UTF-16: save a sheet as CSV UTF-8, and unpack an archive'],
  });
});
