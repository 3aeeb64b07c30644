import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ageOf, DAY_MS } from '../../../src/admin/report/age.ts';
import { ReportBuilder } from '../../../src/admin/report/report-builder.ts';
import type { ApiKeyRecord } from '../../../src/client/client.ts';
import { formatTimestamp, type Timestamp } from '../../../src/shared/record/timestamp.ts';
import { exampleRecord } from '../../support/example-record.ts';

const now = new Date('2026-11-22T10:20:30.456Z');
const NOW = BigInt(now.getTime()) * 1000n;
const DAY = BigInt(DAY_MS) * 1000n;
const bounds = [0n, 30n, 90n, 180n, 365n, 730n];

/** Some are exactly as old as a bound, or one microsecond off. Some are of the future. */
const createdAt = fc.oneof(
  fc
    .tuple(fc.constantFrom(...bounds), fc.constantFrom(-1n, 0n, 1n))
    .map(([days, off]) => NOW - days * DAY + off),
  fc
    .constantFrom('2026-03-01T00:00:00Z', '1970-01-01T00:00:00Z')
    .map(text => BigInt(Date.parse(text)) * 1000n - 1n),
  fc.bigInt({ min: NOW - 40_000n * DAY, max: NOW + 40n * DAY }),
);
const unknown = ['suspended', '__proto__', 'keys', 'constructor'];
const ids = ['a', 'b', '', '__proto__', 'null'];

const rosters = fc
  .array(
    fc.record({
      created_at: createdAt.map(time => formatTimestamp(time as Timestamp)),
      created_by: fc.record({
        id: fc.constantFrom(...ids),
        type: fc.constantFrom('user', 'service_account', ...unknown),
      }),
      status: fc.constantFrom('active', 'active', 'inactive', 'archived', ...unknown),
      workspace_id: fc.constantFrom(null, ...ids.filter(id => id !== '')),
    }),
    { maxLength: 60 },
  )
  .map(all => all.map((fields, index) => ({ ...exampleRecord, ...fields, id: `k${index}` }) as ApiKeyRecord));

const age = (key: ApiKeyRecord) => ageOf(key.created_at, now);
const micros = (key: ApiKeyRecord) => Math.round(age(key) * 1000);

function built(roster: readonly ApiKeyRecord[]): ReportBuilder {
  const builder = new ReportBuilder(now);
  for (const key of roster) builder.add(key);
  return builder;
}

/** The model: a filter over the array. */
function countOf(keys: readonly ApiKeyRecord[]) {
  const statuses = new Map<string, number>(['active', 'inactive', 'archived'].map(status => [status, 0]));
  for (const { status } of keys) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return { keys: keys.length, active: statuses.get('active'), statuses: Object.fromEntries(statuses) };
}

const groupsOf = <Group>(roster: readonly ApiKeyRecord[], groupOf: (key: ApiKeyRecord) => Group) =>
  Array.from(Map.groupBy(roster, groupOf), ([group, keys]) => ({ group, ...countOf(keys) }));

/** Compares groups whatever their order. */
const inAnyOrder = (groups: readonly unknown[]) =>
  new Set(groups.map(group => JSON.stringify(group, (_, value) => sortedMembers(value))));
const sortedMembers = (value: unknown) =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    : value;

describe('the figures', () => {
  test('are those of filters over all keys, in any order, with statuses and types that nobody knows', () => {
    fc.assert(
      fc.property(rosters, roster => {
        const report = built(roster).report();
        const { keys, active, statuses } = report;
        assert.deepEqual({ keys, active, statuses }, countOf(roster));
        for (const { from_days, to_days, ...count } of report.by_age) {
          const isIn = (days: number) =>
            days >= (from_days || Number.NEGATIVE_INFINITY) && (to_days === null || days < to_days);
          const inBand = roster.filter(key => isIn(micros(key) / (DAY_MS * 1000)));
          assert.deepEqual(count, countOf(inBand), `${from_days} days`);
        }
        assert.deepEqual(
          report.by_month,
          groupsOf(roster, key => key.created_at.slice(0, 7))
            .map(({ group, ...count }) => ({ month: group, ...count }))
            .sort((a, b) => (a.month < b.month ? -1 : 1)),
        );
        const statusRows = groupsOf(roster, key => key.status);
        for (const { status, ...count } of report.by_status) {
          const row = statusRows.find(({ group }) => group === status);
          assert.deepEqual(count, { keys: row?.keys ?? 0, active: row?.active ?? 0 });
        }
        assert(statusRows.every(({ group }) => report.by_status.some(({ status }) => status === group)));
        for (const { type, ...count } of report.by_creator_type)
          assert.deepEqual(count, countOf(roster.filter(key => key.created_by.type === type)));
        assert.deepEqual(report.default_workspace, countOf(roster.filter(key => key.workspace_id === null)));
        const workspaces = groupsOf(roster, key => key.workspace_id);
        assert.deepEqual(
          inAnyOrder(report.by_workspace),
          inAnyOrder(workspaces.map(({ group, ...count }) => ({ workspace_id: group, ...count }))),
        );
        const creators = groupsOf(roster, ({ created_by: { id, type } }) => JSON.stringify({ id, type }));
        assert.deepEqual(
          inAnyOrder(report.by_creator),
          inAnyOrder(creators.map(({ group, ...count }) => ({ creator: JSON.parse(group), ...count }))),
        );
        assert.deepEqual(
          report.oldest_active_keys,
          roster
            .filter(key => key.status === 'active')
            .sort((a, b) => age(b) - age(a) || (a.id < b.id ? -1 : 1))
            .slice(0, 10),
        );
      }),
    );
  });

  test('are the same in whatever order the keys come, and in a snapshot as in the report', () => {
    const shuffled = rosters.chain(roster =>
      fc.tuple(fc.constant(roster), fc.shuffledSubarray(roster, { minLength: roster.length })),
    );
    fc.assert(
      fc.property(shuffled, ([roster, inOtherOrder]) => {
        const builder = built(roster);
        const report = builder.report();
        assert.deepEqual(built(inOtherOrder).report(), report);
        const figures = builder.snapshot();
        for (const [name, figure] of Object.entries(figures))
          assert.deepEqual(figure, report[name as keyof typeof figures], name);
        assert.deepEqual(builder.ids(), {
          workspaces: report.by_workspace.flatMap(({ workspace_id }) => workspace_id ?? []).slice(0, 500),
          creators: report.by_creator.map(({ creator }) => creator.id).slice(0, 500),
        });
      }),
    );
  });
});
