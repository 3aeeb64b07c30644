import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import type { FeedLine } from '../../../src/service/roster/writes/key-writer.ts';
import type { PutOutcome } from '../../../src/service/roster/writes/put-outcome.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { meetingKey } from '../../support/arbitraries.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { putOne } from '../../support/put-one.ts';
import { createOrganization } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';

/** Batches of lines; the number is that of an organization, of which the last doesn't exist. */
const batches = fc.array(fc.array(fc.tuple(fc.nat(2), meetingKey), { maxLength: 8 }), { maxLength: 5 });

describeEachStore('a feed', open => {
  let organizations: OrganizationId[];
  const create = async () => {
    const two = [await createOrganization(open.writer), await createOrganization(open.writer)];
    return [...two.map(({ id }) => id), 'unknown' as OrganizationId];
  };
  const rosterOf = (organization: OrganizationId) => recordsOf(open.writer, organization);
  const lineOf = (organization: number, key: ApiKey): FeedLine<ApiKey> => ({
    organizationId: organizations[organization] as OrganizationId,
    key,
  });

  test('in any batches has the outcomes and the rosters of one put after the other', async () => {
    const runs = fc.asyncProperty(batches, async all => {
      organizations = await create();
      const fed: PutOutcome[] = [];
      for (const batch of all)
        fed.push(...(await open.writer.feedApiKeys(batch.map(each => lineOf(...each)))));
      const fedRosters = await Promise.all(organizations.map(rosterOf));

      organizations = await create();
      const put: PutOutcome[] = [];
      for (const each of all.flat()) put.push(await putOne(open.writer, lineOf(...each)));
      assert.deepEqual(fed, put);
      assert.deepEqual(fedRosters, await Promise.all(organizations.map(rosterOf)));
    });
    await fc.assert(runs, { numRuns: rounds(8) });
  });

  test('of the same keys by several writers at once inserts each once, whatever their order', async () => {
    const writers = await Promise.all([open.store.openWriter(), open.store.openWriter()]);
    for (let round = 0; round < 3; round++) {
      organizations = await create();
      const lines = firstKeys(20).map((key, index) => lineOf(index % 2, key));
      const outcomes = await Promise.all(
        [lines, lines.toReversed()].map((each, index) => (writers[index] as RosterWriter).feedApiKeys(each)),
      );
      const inserted = outcomes.flat().filter(each => 'result' in each && each.result === 'inserted');
      assert.equal(inserted.length, lines.length);
    }
    await Promise.all(writers.map(writer => writer.close()));
  });
});
