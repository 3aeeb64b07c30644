import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RosterDifference } from '../../../../src/admin/cli/diff/roster-difference.ts';
import { KINDS } from '../../../../src/admin/saved/changes.ts';
import type { ApiKeyRecord } from '../../../../src/client/client.ts';
import { record } from '../../../support/import-file.ts';

type Saved = ReturnType<typeof record>;

async function* batches(records: readonly object[]): AsyncGenerator<readonly ApiKeyRecord[]> {
  for (let start = 0; start < records.length; start += 3)
    yield records.slice(start, start + 3) as readonly ApiKeyRecord[];
}

async function differenceOf(old: readonly object[], current: readonly object[]) {
  const difference = await RosterDifference.between({
    old: { name: 'OLD', records: batches(old) },
    new: { name: 'NEW', records: batches(current) },
  });
  try {
    const { counts, keys, isEmpty } = difference;
    return { changes: [...difference.changes()], counts, keys, isEmpty };
  } finally {
    difference.close();
  }
}

/** What a person would write down who holds both rosters side by side. */
function naive(old: readonly Saved[], current: readonly Saved[]): string[] {
  const found: string[] = [];
  const byId = (records: readonly Saved[], id: string) => records.find(each => each.id === id);
  for (const id of new Set([...old, ...current].map(each => each.id))) {
    const [before, now] = [byId(old, id), byId(current, id)];
    if (!before) found.push(`${id} added`);
    else if (!now) found.push(`${id} gone`);
    else {
      const words = { active: 'activated', inactive: 'deactivated', archived: 'archived' };
      if (before.status !== now.status) found.push(`${id} ${words[now.status as keyof typeof words]}`);
      if (before.name !== now.name) found.push(`${id} renamed`);
      if (before.workspace_id !== now.workspace_id) found.push(`${id} moved`);
      const [team, nowTeam] = [before, now].map(each => ('team' in each ? each.team : undefined));
      if (team !== undefined && nowTeam !== undefined && team !== nowTeam) found.push(`${id} changed team`);
      if (before.created_by.id !== now.created_by.id) found.push(`${id} changed created_by.id`);
    }
  }
  return found.sort();
}

const saved = fc
  .record(
    {
      id: fc.constantFrom('a', 'b', 'c', 'D', 'e-1', 'e_1', 'f'),
      name: fc.constantFrom('x', 'y', '\u0000', '🔑'),
      created_by: fc.record({ id: fc.constantFrom('user_a', 'user_b'), type: fc.constant('user') }),
      status: fc.constantFrom('active', 'inactive', 'archived'),
      workspace_id: fc.constantFrom('wrkspc_a', 'wrkspc_b', null),
      team: fc.constantFrom('red', 'blue', null),
    },
    { requiredKeys: ['id', 'name', 'created_by', 'status', 'workspace_id'], noNullPrototype: true },
  )
  .map(({ id, ...parts }) =>
    record(id, { created_at: `2024-10-${10 + (id.charCodeAt(0) % 20)}T00:00:00Z`, ...parts }),
  );
const roster = fc.uniqueArray(saved, { selector: each => each.id, maxLength: 7 });

test('a difference is that of a naive comparison, whatever the order of both rosters', async () => {
  await fc.assert(
    fc.asyncProperty(roster, roster, async (old, current) => {
      const { changes, counts, keys, isEmpty } = await differenceOf(old, current);
      const isNamed = (kind: string) => kind === 'changed';
      const told = changes.map(({ id, kind, field }) => `${id} ${kind}${isNamed(kind) ? ` ${field}` : ''}`);
      assert.deepEqual(told.toSorted(), naive(old, current));
      assert.equal(isEmpty, told.length === 0);
      assert.deepEqual(keys, { old: old.length, new: current.length });
      for (const kind of KINDS) assert.equal(counts[kind], changes.filter(each => each.kind === kind).length);
      const again = await differenceOf(old.toReversed(), current.toReversed());
      assert.deepEqual(again.changes, changes, 'in the same order');
    }),
  );
});

test('changes are told with their values, the newest key first, and those of a key by their kind', async () => {
  const at = (day: number) => ({ created_at: `2024-10-0${day}T00:00:00.000000Z` });
  const old = [
    record('z1', at(1)),
    record('k2', at(2)),
    record('k3', { ...at(3), status: 'inactive', team: 'red', limits: { day: 1 }, last_used_at: null }),
  ];
  const now = [
    record('k4', at(4)),
    record('k3', {
      ...{ ...at(3), name: 'New', workspace_id: null, limits: { day: 2 }, status: 'paused' },
      ...{ team: null, last_used_at: '2026-11-20T17:03:11.000000Z' },
    }),
    record('k2', at(2)),
  ];
  const { changes } = await differenceOf(old, now);
  assert.deepEqual(
    changes.map(({ id, kind, name, field, old, new: current }) => [id, kind, name, field, old, current]),
    [
      ['k4', 'added', 'Key k4', null, null, now[0]],
      ['k3', 'renamed', 'New', 'name', 'Key k3', 'New'],
      ['k3', 'moved', 'New', 'workspace_id', 'wrkspc_a', null],
      ['k3', 'changed', 'New', 'limits', { day: 1 }, { day: 2 }],
      ['k3', 'changed', 'New', 'status', 'inactive', 'paused'],
      ['k3', 'changed', 'New', 'team', 'red', null],
      ['z1', 'gone', 'Key z1', null, old[0], null],
    ],
  );
});

test('what CSV, another version or an earlier declaration leaves out, or writes in another way, is no change', async () => {
  const key = record('k1', { workspace_id: null });
  const whole = { ...key, uses: 5, flags: [true], note: null, expires_at: '2027-01-01T00:00:00.000000Z' };
  const { type: _type, status: _status, ...rest } = key;
  const fromCsv = { ...rest, uses: '5', flags: '[true]', created_at: '2024-10-31T00:58:27.427722+01:00' };
  assert.equal((await differenceOf([whole], [fromCsv])).isEmpty, true);
  assert.equal((await differenceOf([fromCsv], [whole])).isEmpty, true);
});

test('an ID that a roster has more than once is refused', async () => {
  const [one, two] = [record('k1'), record('k2')];
  await assert.rejects(differenceOf([one, two, two], []), /^Refused: OLD: has k2 more than once/);
  await assert.rejects(differenceOf([one], [one, two, one]), /^Refused: NEW: has k1 more than once/);
  await assert.rejects(differenceOf([], [two, one, two]), /^Refused: NEW: has k2 more than once/);
});
