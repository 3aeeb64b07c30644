import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import fc from 'fast-check';
import { timestamptz } from '../../../src/service/postgres/timestamp.ts';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import { parseName } from '../../../src/shared/record/name.ts';
import { isAllowedTransition, STATUSES } from '../../../src/shared/record/status.ts';
import { parseTimestamp } from '../../../src/shared/record/timestamp.ts';
import * as arbitrary from '../../support/arbitraries.ts';
import { type Issuer, startIssuer } from '../../support/issuer.ts';
import { rounds } from '../../support/rounds.ts';
import { suiteScope } from '../../support/scope.ts';

const RUNS = rounds(100);

const HARD_TEXTS = [
  '"',
  '\\',
  '\\u0000',
  '\b\f\n\r\t',
  '\u0001\u001f\u007f',
  '\u2028',
  '\ufeff',
  '\u{10FFFF}',
];
const name = fc
  .array(fc.oneof(fc.constantFrom(...HARD_TEXTS, "'", '/', '{}', '\ufffe'), arbitrary.name), { maxLength: 6 })
  .map(parts => parts.join(''))
  .filter(text => parseName(text) !== undefined);

const edges = ['0000-01-01T00:00:00Z', '0000-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'];
const createdAt = fc.oneof(
  { weight: 4, arbitrary: arbitrary.timestamp },
  fc.constantFrom(...edges.flatMap(edge => parseTimestamp(edge) ?? [])),
);

const key = fc.tuple(arbitrary.apiKey({ createdAt }), name).map(([made, text]) => ({ ...made, name: text }));
const change = fc.record(
  {
    name,
    status: fc.constantFrom(...STATUSES),
    workspaceId: arbitrary.apiKey().map(({ workspaceId }) => workspaceId),
    partialKeyHint: arbitrary.partialKeyHint,
  },
  { requiredKeys: [], noNullPrototype: true },
);

/** Settings that an issuer's session may have. They must not change the record. */
const settings = fc.constantFrom(
  "SET TimeZone = 'UTC'",
  "SET TimeZone = 'Asia/Kathmandu'; SET DateStyle = 'German, DMY'",
  "SET TimeZone = 'America/St_Johns'; SET DateStyle = 'SQL, MDY'; SET IntervalStyle = 'iso_8601'",
  "SET TimeZone = 'Pacific/Kiritimati'; SET search_path = ''",
);

describe('the stored record', () => {
  const scope = suiteScope();
  let issuer: Issuer;
  before(async () => {
    issuer = await startIssuer(scope);
  });

  test('matches its row after every insert and update by SQL, whatever its texts and times', async () => {
    let runs = 0;
    const property = fc.asyncProperty(
      key,
      fc.array(change, { maxLength: 3 }),
      settings,
      async (inserted, changes, set) => {
        const organization = `org_${runs++}`;
        const values = [organization, inserted.id];
        await issuer.query(set);
        await issuer.query('INSERT INTO keyroster.organizations (id, name) VALUES ($1, $1)', [organization]);
        await issuer.insert({ organization_id: organization, ...rowOf(inserted) });
        let expected: ApiKey = inserted;
        await assertStored(values, expected);
        for (const each of changes) {
          if (!isAllowedTransition(expected.status, each.status ?? expected.status)) continue;
          expected = { ...expected, ...each } as ApiKey;
          const changed = Object.entries(rowOf(each));
          if (changed.length === 0) continue;
          const sets = changed.map(([column], index) => `${column} = $${index + 3}`);
          const update = `UPDATE keyroster.api_keys SET ${sets} WHERE organization_id = $1 AND id = $2`;
          await issuer.query(update, [...values, ...changed.map(([, value]) => value)]);
          await assertStored(values, expected);
        }
      },
    );
    await fc.assert(property, { numRuns: RUNS });
  });

  async function assertStored(values: string[], expected: ApiKey): Promise<void> {
    const select = 'SELECT record FROM keyroster.api_keys WHERE organization_id = $1 AND id = $2';
    const { rows } = await issuer.query(select, values);
    assert.deepEqual(JSON.parse(rows[0].record), JSON.parse(renderApiKey(expected)));
  }
});

/** The columns of what the key has. */
function rowOf({ createdAt, createdBy, partialKeyHint, workspaceId, ...same }: Partial<ApiKey>) {
  return {
    ...same,
    ...(createdAt !== undefined && { created_at: timestamptz(createdAt) }),
    ...(createdBy && { created_by_id: createdBy.id, created_by_type: createdBy.type }),
    ...(partialKeyHint && { partial_key_hint: partialKeyHint }),
    ...(workspaceId !== undefined && { workspace_id: workspaceId }),
  };
}
