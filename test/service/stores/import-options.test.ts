import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import type { ImportLine } from '../../../src/service/roster/imports.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { meetingKey } from '../../support/arbitraries.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';

const [first, second] = firstKeys(2) as [ApiKey, ApiKey];
const invalid = {
  line: 7,
  organizationId: null,
  faults: [{ field: 'name', problem: 'bad' }],
  source: '{"bad": 1}',
};

describeEachStore('the options of an import', open => {
  const rosterOf = async (organization: OrganizationId) =>
    (await recordsOf(open.writer, organization)).sort();
  const organizationWith = async (...keys: readonly ApiKey[]) => {
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, keys);
    return id;
  };
  const rendered = (...keys: readonly ApiKey[]) => keys.map(renderApiKey).sort();

  test('a dry run returns the counts and refusals of the real import, and changes nothing', async () => {
    const known = fc.uniqueArray(meetingKey, { selector: each => each.id });
    const property = fc.asyncProperty(
      known,
      fc.array(meetingKey),
      fc.boolean(),
      async (before, keys, skipRefused) => {
        const organization = await organizationWith(...before);
        const predicted = await importKeys(open.writer, organization, keys, { skipRefused, dryRun: true });
        assert.deepEqual(await rosterOf(organization), rendered(...before));
        const done = await importKeys(open.writer, organization, keys, { skipRefused });
        assert.deepEqual(predicted, done);
        if (skipRefused)
          assert.equal(done.inserted + done.updated + done.unchanged + done.refused, keys.length);
        else if (done.refused > 0) assert.deepEqual(await rosterOf(organization), rendered(...before));
      },
    );
    await fc.assert(property, { numRuns: rounds(5) });
  });

  test('progress reports how many keys are written, up to all of them', async () => {
    const organization = await organizationWith();
    const reported: [number, number][] = [];
    const { inserted } = await importKeys(open.writer, organization, firstKeys(21_000), {
      onProgress: (written, of) => reported.push([written, of]),
    });
    const { apiKeys } = await open.writer.findContents(organization);
    assert.deepEqual([inserted, apiKeys], [21_000, 21_000]);
    assert.ok(reported.length > 1, 'progress is reported before the end');
    assert.deepEqual(reported.at(-1), [21_000, 21_000]);
    assert.deepEqual(
      reported,
      reported.toSorted(([a], [b]) => a - b),
    );
    const [dry, ...others] = [firstKeys(3)];
    await importKeys(open.writer, organization, dry ?? others, {
      dryRun: true,
      onProgress: () => assert.fail('a dry run writes nothing'),
    });
  });

  test('when the onRefused or the onProgress callback throws, nothing is imported and the next import succeeds', async () => {
    const fail = () => {
      throw new Error('the disk is full');
    };
    const organization = await organizationWith(first);
    async function* source(): AsyncGenerator<ImportLine[]> {
      yield [{ line: 1, organizationId: organization, key: second }, invalid];
    }
    const options = { onRefused: fail, skipRefused: true };
    await assert.rejects(open.writer.importApiKeys(source(), options), /the disk is full/);
    await assert.rejects(importKeys(open.writer, organization, [second], { onProgress: fail }), /the disk/);
    assert.deepEqual(await rosterOf(organization), rendered(first));
    assert.equal((await importKeys(open.writer, organization, [second])).inserted, 1);
  });
});
