import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { MAX_SHOWN, RosterChanges } from '../../../src/console/changes/roster-changes.ts';
import { openFile } from '../../../src/console/files/open-file.ts';
import { CSV_COLUMNS, csvHeader, renderCsvRow } from '../../../src/shared/formats/render-csv.ts';
import { suiteScope } from '../../support/scope.ts';
import { collect, numberedKeys, startSeededService } from '../../support/seeded-service.ts';

const seeded = await startSeededService(suiteScope(), numberedKeys(2_500));
const now = await collect(seeded.client().apiKeys.list({ limit: 1_000 }));

/** As it was: 600 keys weren't there yet, one has gone since, and three have changed. */
const [a, b, c] = now.slice(-3) as [ApiKeyRecord, ApiKeyRecord, ApiKeyRecord];
const old = [
  ...now.slice(600, -3),
  { ...a, name: 'before, "quoted"' },
  { ...b, workspace_id: 'wrkspc_before' },
  { ...c, status: c.status === 'active' ? 'inactive' : 'active' },
  { ...c, id: 'gone' },
];
const records = old as (ApiKeyRecord & Parameters<typeof renderCsvRow>[0])[];

const forms = {
  'json of the console': JSON.stringify(old),
  'json of list': JSON.stringify({ data: old, has_more: false }),
  jsonl: old.map(each => JSON.stringify(each)).join('\n'),
  csv: csvHeader(CSV_COLUMNS) + records.map(each => renderCsvRow(each)).join(''),
};

const opened = (content: BlobPart) => openFile(new File([content], 'saved'));

test('gzip is unpacked no further than the largest file', async () => {
  const bomb = gzipSync(Buffer.alloc(65 * 2 ** 20, ' '), { level: 1 });
  assert.deepEqual(await opened(bomb), { problems: ['is larger than 64 MiB: keyroster-admin reads it'] });
});

test('a saved roster in each form is compared with the roster now, exactly, also where the walk was cut off', async () => {
  const snapshot = gzipSync(forms.csv);
  for (const [form, content] of Object.entries({ ...forms, snapshot })) {
    const file = await opened(content);
    assert('kind' in file && file.kind === 'roster', form);
    let requests = 0;
    const failing: typeof fetch = async (...request) => {
      requests += 1;
      return requests === 2 ? new Response(null, { status: 503 }) : fetch(...request);
    };
    const retryingClient = seeded.client({ fetch: failing, retries: 0 });
    const changes = new RosterChanges({ retryingClient }, 'saved', file.records);
    await changes.walk.run();
    assert.deepEqual([changes.walk.state.kind, changes.counts.gone], ['failed', 0], form);
    await changes.walk.run();
    const { added, gone, renamed, moved, activated, deactivated } = changes.counts;
    assert.deepEqual([added, gone, renamed, moved, activated + deactivated], [600, 1, 1, 1, 1], form);
    assert.equal(changes.shown.filter(({ kind }) => kind === 'added').length, MAX_SHOWN);
    assert.equal(changes.shown.at(-1)?.id, 'gone');
    assert.equal(changes.saved, old.length);
  }
});

test('a file is taken for what it is, and one that can not be used is told with why', async () => {
  const kindOf = async (text: string) => {
    const file = await opened(text);
    return 'problems' in file ? file.problems[0] : file.kind;
  };
  const rest = 'user_a,user,sk...ab,active,';
  const id = `${CSV_COLUMNS}\nk1,One,2026-01-01T00:00:00Z,${rest}\n`;
  for (const [text, kind] of [
    ['{"policies":[]}', 'policies'],
    ['[]', 'roster'],
    ['id,name\nuser_1,Ada\n', 'directory'],
    ['[{"id":"user_1","name":"Ada"}]', 'directory'],
    [JSON.stringify(now[0]), 'roster'],
    ['', 'is empty'],
    ['\xff\xfe', /has no|id: is missing|line 1/],
    [`${id}k1,One,2026-01-01T00:00:00Z,${rest}\n`, 'k1 is there more than once: leave one'],
    [`${id}k2,Two,yesterday,${rest}\n`, /^line 3: created_at: /],
    [`${id}k2,2026\n`, 'line 3: must have as many columns as the header'],
    ['{"data":[],"has_more":true}', /has only some of the keys/],
    ['{"policies":[],"policies":[]}', 'policies: is there more than once: leave one'],
    [`${JSON.stringify(now[0])}\n{"id":"k`, 'record 2 is not JSON: is the file cut off?'],
  ] as const) {
    const found = String(await kindOf(text));
    if (typeof kind === 'string') assert.equal(found, kind);
    else assert.match(found, kind);
  }
  const many = `${CSV_COLUMNS}\n${`k,K,2026-01-01T00:00:00Z,${rest}\n`.repeat(100_001)}`;
  assert.match(String(await kindOf(many)), /has more than 100,000 keys: keyroster-admin diff/);
});
