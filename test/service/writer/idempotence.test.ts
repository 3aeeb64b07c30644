import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ApiKey, recordOf } from '../../../src/service/roster/api-key.ts';
import { openWriter, type StoreWriter } from '../../../src/service/writer/open-writer.ts';
import type { ApiKeyRecord } from '../../../src/shared/record/api-key-record.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { meetingKey } from '../../support/arbitraries.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { rounds } from '../../support/rounds.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';

const puts = (keys: fc.Arbitrary<ApiKey>) =>
  fc.array(fc.uniqueArray(keys.map(recordOf), { selector: ({ id }) => id, maxLength: 3 }), { maxLength: 6 });
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
    return { refused, records: await recordsOf(open.reader, id as OrganizationId) };
  };

  test('that is done again, as by a retry, changes nothing and is refused where it was refused', async t => {
    const writer = await writerFor(t);
    const runs = fc.asyncProperty(
      puts(meetingKey),
      fc.integer({ min: 2, max: 3 }),
      async (sequence, times) => {
        const once = await after(writer, sequence);
        const again = await after(
          writer,
          sequence.flatMap(each => Array.from({ length: times }, () => each)),
        );
        assert.deepEqual(again, { ...once, refused: once.refused * times });
      },
    );
    await fc.assert(runs, { numRuns: rounds(8) });
  });
});
