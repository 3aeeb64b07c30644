import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ApiKey, Creator } from '../../../src/service/roster/api-key.ts';
import type { DeclaredField } from '../../../src/service/roster/declared-fields.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import { countOutcomes, type PutOutcome } from '../../../src/service/roster/writes/put-outcome.ts';
import { FILTER_NAMES, type Filter, type FilterName } from '../../../src/shared/record/filters.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { firstKeys, modelPage } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { putOne } from '../../support/put-one.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';

/** A value, another one that is written over it, and the field of the refusal where it may not change. */
type Change = readonly [from: unknown, to: unknown, refused?: string | undefined];

const [base] = firstKeys(1) as [ApiKey];

const ofCreator: Readonly<Record<keyof Creator, readonly Change[]>> = {
  id: [['user_a', 'user_b', 'created_by.id']],
  type: [['user', 'service_account', 'created_by.type']],
};

/** Of every field: one without changes doesn't compile. */
function changesOf(fields: readonly DeclaredField[]): Readonly<Record<keyof ApiKey, readonly Change[]>> {
  const declared = (plan: string | null, last_used_at: string | null = null) =>
    fields.map(field => ({ field, value: { plan, last_used_at }[field.name] ?? null }));
  const [day, next] = ['2026-11-20T00:00:00.000000Z', '2026-11-21T00:00:00.000000Z'];
  return {
    id: [['key_1', 'key_2']],
    name: [['Old', 'New']],
    createdAt: [[base.createdAt, base.createdAt + 1n, 'created_at']],
    createdBy: Object.entries(ofCreator).flatMap(([name, changes]) =>
      changes.map(([from, to, refused]): Change => {
        const having = (value: unknown) => ({ ...base.createdBy, [name]: value });
        return [having(from), having(to), refused];
      }),
    ),
    partialKeyHint: [['sk-a...0001', 'sk-a...0002']],
    status: [
      ['active', 'inactive'],
      ['inactive', 'archived'],
      ['archived', 'active', 'status'],
    ],
    workspaceId: [
      [null, 'wrkspc_1'],
      ['wrkspc_1', 'wrkspc_2'],
      ['wrkspc_1', null],
    ],
    declared: [
      [declared(null), declared('free')],
      [declared('free'), declared('paid')],
      [declared('free'), declared(null)],
      [declared('free', day), declared('free', next)],
    ],
  };
}

type Write = (
  writer: RosterWriter,
  organization: OrganizationId,
  keys: readonly ApiKey[],
) => Promise<{ inserted: number; updated: number; unchanged: number; refused: (string | null)[] }>;

const summed = (outcomes: readonly PutOutcome[]) => ({
  ...countOutcomes(outcomes),
  refused: outcomes.flatMap(each => ('faults' in each ? each.faults.map(({ field }) => field) : [])),
});

const writes: Readonly<Record<string, Write>> = {
  async import(writer, organization, keys) {
    const { refusals, ...counts } = await importKeys(writer, organization, keys, { skipRefused: true });
    const inOrder = refusals.toSorted((a, b) => a.line - b.line);
    return { ...counts, refused: inOrder.flatMap(({ faults }) => faults.map(({ field }) => field)) };
  },
  async put(writer, organizationId, keys) {
    const outcomes: PutOutcome[] = [];
    for (const key of keys) outcomes.push(await putOne(writer, { organizationId, key }));
    return summed(outcomes);
  },
  async feed(writer, organizationId, keys) {
    return summed(await writer.feedApiKeys(keys.map(key => ({ organizationId, key }))));
  },
};

/** All that the fields of these keys can be filtered by, and no filter. */
function filtersOf(keys: readonly ApiKey[]): Filter[] {
  const all = keys.flatMap(({ status, workspaceId, createdBy }): Filter[] => {
    const values = { status, workspaceId, creatorId: createdBy.id } satisfies Record<FilterName, unknown>;
    return FILTER_NAMES.map(name => (values[name] === null ? {} : { [name]: values[name] }));
  });
  return [...new Map(all.map(filter => [JSON.stringify(filter), filter])).values()];
}

describeEachStore('each field of an API key', open => {
  let fields: readonly DeclaredField[];
  before(async () => {
    await open.writer.addField({ name: 'plan', type: { kind: 'text', max_length: 9 } });
    await open.writer.addField({ name: 'last_used_at', type: { kind: 'timestamp' } });
    fields = await open.writer.listFields();
  });

  /** For each change a key with the field as it is before, and as it is to be. */
  const casesOf = (key: ApiKey) =>
    Object.entries(changesOf(fields)).flatMap(([field, changes]) =>
      changes.map(([from, to, refused], index) => {
        const given: ApiKey = { ...key, id: `${field}_${index}` as ApiKeyId, [field]: from };
        const changed: ApiKey = { ...given, [field]: to };
        return { given, changed, refused };
      }),
    );

  for (const [name, write] of Object.entries(writes))
    test(`is written and changed by ${name}, in the record and for filters, or its change is refused`, async () => {
      const { id: organization } = await createOrganization(open.writer);
      const kept: ApiKey = { ...base, declared: fields.map(field => ({ field, value: null })) };
      const cases = casesOf(kept);
      const given = [kept, ...cases.map(each => each.given)];
      const none = { inserted: 0, updated: 0, unchanged: 0, refused: [] };
      assert.deepEqual(await write(open.writer, organization, given), { ...none, inserted: given.length });

      const accepted = cases.flatMap(({ changed, refused }) => (refused ? [] : [changed]));
      const refused = cases.flatMap(each => each.refused ?? []);
      const changed = [kept, ...cases.map(each => each.changed)];
      assert.deepEqual(await write(open.writer, organization, changed), {
        ...{ inserted: 1, unchanged: 1, refused }, // another ID is another key
        updated: accepted.length - 1,
      });

      const keys = [...new Map([...given, ...accepted].map(key => [key.id, key])).values()];
      for (const filter of filtersOf(keys))
        assert.deepEqual(
          (await recordsOf(open.writer, organization, filter)).map(record => JSON.parse(record)),
          modelPage(keys, { limit: 1000, cursor: null, filter })?.data,
        );
    });
});
