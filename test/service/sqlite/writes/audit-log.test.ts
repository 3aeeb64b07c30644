import assert from 'node:assert/strict';
import { test } from 'node:test';
import { embeddedStore } from '../../../support/embedded-store.ts';
import { runSql } from '../../../support/run-sql.ts';

test('the file refuses an entry of the audit log that Keyroster could not list', async t => {
  const store = await embeddedStore(t);
  const right = {
    recorded_at: '1',
    actor: "'a'",
    action: "'import'",
    organization_id: 'NULL',
    subject_id: "'k_1'",
    details: `'{"a":1}'`,
  };
  const insert = (row: typeof right) =>
    runSql(store.url, `INSERT INTO audit_log (${Object.keys(row)}) VALUES (${Object.values(row)})`);
  await insert(right);
  for (const wrong of [
    { recorded_at: '300000000000000000' },
    { actor: "'  '" },
    { actor: `'${'a'.repeat(129)}'` },
    { action: "'Read keys'" },
    { organization_id: "'a name'" },
    { subject_id: "''" },
    ...['null', '[]', '"s"', '3', 'x', '{', '{"a":{}}', '{"a":[1]}'].map(text => ({ details: `'${text}'` })),
  ])
    await assert.rejects(insert({ ...right, ...wrong }), /CHECK constraint failed/, JSON.stringify(wrong));
});
