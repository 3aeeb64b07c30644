import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OrganizationLine, parseOrganization } from '../../../src/service/roster/given-organization.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import { newId, type OrganizationId } from '../../../src/shared/record/identifier.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { ALL, now } from '../../support/roster.ts';

const lineOf = (record: unknown, index: number) =>
  ({ line: index + 1, source: '', ...parseOrganization(record) }) as OrganizationLine;

async function outcome(writer: RosterWriter, records: readonly unknown[], dryRun = false) {
  const changes = await writer.importOrganizations(records.map(lineOf), { dryRun });
  const { created, renamed, unchanged, refused } = changes;
  return {
    created: created.length,
    renamed: renamed.length,
    unchanged,
    refused: refused.flatMap(({ line, faults }) =>
      faults.map(({ field, problem }) => `${line}: ${field}: ${problem}`),
    ),
  };
}

const nothing = { created: 0, renamed: 0, unchanged: 0, refused: [] };
const CREATED = '2026-01-02T03:04:05.678901Z';

describeEachStore('an import of organizations', open => {
  const listed = async (prefix: string) =>
    (await open.writer.listOrganizations(...ALL)).filter(({ id }) => id.startsWith(prefix));

  test('creates and renames, and leaves what is as the file says', async () => {
    const prefix = newId<OrganizationId>('org');
    const records = ['a', 'b', 'c'].map(id => ({ id: `${prefix}_${id}`, name: `Ünï ${id}` }));
    assert.deepEqual(await outcome(open.writer, records), { ...nothing, created: 3 });
    const before = await listed(prefix);
    assert.deepEqual(await outcome(open.writer, records), { ...nothing, unchanged: 3 });
    const more = [
      { ...records[0], name: 'Other' },
      records[1],
      { id: `${prefix}_d`, name: 'D', created_at: CREATED },
    ];
    const counts = { ...nothing, created: 1, renamed: 1, unchanged: 1 };
    assert.deepEqual(await outcome(open.writer, more, true), counts);
    assert.deepEqual(await listed(prefix), before);
    assert.deepEqual(await outcome(open.writer, more), counts);
    const after = await listed(prefix);
    assert.deepEqual(
      after.map(({ id, name }) => `${id} ${name}`),
      [`${prefix}_d D`, `${prefix}_a Other`, `${prefix}_b Ünï b`, `${prefix}_c Ünï c`],
    );
    assert.equal(after[0]?.createdAt, 1_767_323_045_678_901n as Timestamp);
    assert.deepEqual(
      after.slice(1).map(({ createdAt }) => createdAt),
      before.map(({ createdAt }) => createdAt),
    );
  });

  test('refuses all lines when one is refused, and says why', async () => {
    const prefix = newId<OrganizationId>('org');
    const old = `${prefix}_old` as OrganizationId;
    await open.writer.createOrganization({ id: old, name: 'Old', createdAt: now() });
    const before = await listed(prefix);
    const name = 'Fine';
    const records = [
      { id: `${prefix}_new`, name },
      { id: `${prefix}_new`, name },
      { id: `${prefix}_old`, name, created_at: CREATED },
      { id: 'not an ID', name: '', created: 1 },
      { id: `${prefix}_key`, name: `vendor-admin01-${'x'.repeat(49)}` },
      [],
    ];
    const { refused, created } = await outcome(open.writer, records);
    assert.equal(created, 1);
    assert.deepEqual(
      refused.map(text => text.replace(/(stored value is) .*/, '$1 …')),
      [
        '2: id: duplicate of line 1',
        '3: created_at: cannot change: the stored value is …',
        '4: created: unknown field',
        '4: id: must be 1 to 128 of A-Z a-z 0-9 _ -',
        '4: name: must not be empty; must be text of at most 1000 characters, without NUL or broken surrogates',
        '5: name: must not contain an admin key',
        '6: null: must be an object',
      ],
    );
    assert.deepEqual(await listed(prefix), before);
  });
});
