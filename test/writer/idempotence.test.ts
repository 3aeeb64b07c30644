import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApiKey } from '../../src/roster/api-key.ts';
import { type ApiKeyRecord, recordOf } from '../../src/roster/api-key-record.ts';
import { Refused } from '../../src/roster/errors.ts';
import type { ApiKeyId, CreatorId, OrganizationId, WorkspaceId } from '../../src/roster/identifier.ts';
import type { Timestamp } from '../../src/roster/timestamp.ts';
import { openWriter, type StoreWriter } from '../../src/writer/open-writer.ts';
import { apiKey } from '../support/arbitraries.ts';
import { describeEachStore } from '../support/each-store.ts';
import { rounds } from '../support/rounds.ts';
import { atEndOf, type Scope } from '../support/scope.ts';

const oneOf = <T extends string>(...values: string[]) => fc.constantFrom(...(values as T[]));
/** Few IDs and times, so that puts meet the same keys, and some would change what is fixed. */
const key = apiKey({
  id: oneOf<ApiKeyId>('k1', 'k2', 'k3'),
  createdAt: fc.constantFrom(1_730_332_707_427_722n as Timestamp, 1_730_332_707_427_723n as Timestamp),
  creatorId: oneOf<CreatorId>('user_a', 'user_b'),
  workspaceId: oneOf<WorkspaceId>('wrkspc_a', 'wrkspc_b'),
});
const puts = (keys: fc.Arbitrary<ApiKey>) =>
  fc.array(fc.uniqueArray(keys.map(recordOf), { selector: ({ id }) => id, maxLength: 3 }), { maxLength: 6 });
const fixed = {
  createdAt: 1_730_332_707_427_722n as Timestamp,
  createdBy: { id: 'user_a' as CreatorId, type: 'user' } as const,
};

describeEachStore('a put', open => {
  const writerFor = async (scope: Scope) => {
    const writer = await openWriter({ database: open.store.url, actor: 'issuer' });
    atEndOf(scope, () => writer.close());
    return writer;
  };
  /** The roster after these puts, some of which may be refused, and how many were. */
  const after = async (writer: StoreWriter, sequence: readonly (readonly ApiKeyRecord[])[]) => {
    const { id } = await writer.createOrganization({ name: 'Acme' });
    let refused = 0;
    for (const records of sequence)
      await writer.put(id, records).catch(error => {
        assert.ok(error instanceof Refused, String(error));
        refused += 1;
      });
    const query = { limit: 1000, cursor: null, filter: {} };
    const page = await open.reader.listApiKeys(id as OrganizationId, query);
    return { refused, records: page?.items.map(({ record }) => record) };
  };

  test('that is done again, as by a retry, changes nothing and is refused where it was refused', async t => {
    const writer = await writerFor(t);
    const runs = fc.asyncProperty(puts(key), fc.integer({ min: 2, max: 3 }), async (sequence, times) => {
      const once = await after(writer, sequence);
      const again = await after(
        writer,
        sequence.flatMap(each => Array.from({ length: times }, () => each)),
      );
      assert.deepEqual(again, { ...once, refused: once.refused * times });
    });
    await fc.assert(runs, { numRuns: rounds(8) });
  });

  test('of a new key that two writers do at once with different creators is refused for one of them', async t => {
    const writers = [await writerFor(t), await writerFor(t)];
    for (let round = 0; round < 5; round++) {
      const { id } = await (writers[0] as StoreWriter).createOrganization({ name: 'Acme' });
      const outcomes = await Promise.allSettled(
        writers.map((writer, index) =>
          writer.put(
            id,
            recordOf({ ...sample, createdBy: { id: `user_${index}` as CreatorId, type: 'user' } }),
          ),
        ),
      );
      const [refused, ...others] = outcomes.filter(({ status }) => status === 'rejected');
      assert.equal(others.length, 0);
      const { reason } = refused as PromiseRejectedResult;
      assert.ok(reason instanceof Refused);
      assert.deepEqual(
        reason.faults.map(({ field, id }) => ({ field, id })),
        [{ field: 'created_by.id', id: sample.id }],
      );
    }
  });
});

const [sample] = fc.sample(
  key.map(each => ({ ...each, ...fixed, status: 'active' }) as ApiKey),
  { numRuns: 1, seed: 1 },
) as [ApiKey];
