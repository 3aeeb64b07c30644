import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ApiKey, renderApiKey } from '../../../src/service/roster/api-key.ts';
import type { ImportLine } from '../../../src/service/roster/writes/imports.ts';
import { type CreatorId, newId, type OrganizationId } from '../../../src/shared/record/identifier.ts';
import type { PartialKeyHint } from '../../../src/shared/record/partial-key-hint.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { meetingKey } from '../../support/arbitraries.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { createOrganization, importKeys, importLines } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';

const keys = firstKeys(4) as [ApiKey, ApiKey, ApiKey, ApiKey];
const [first, second] = keys;
const linesOf = (...organizations: OrganizationId[]): ImportLine[] =>
  keys
    .flatMap(key => organizations.map(organizationId => ({ organizationId, key })))
    .map((each, index) => ({ line: index + 1, ...each }));
const rendered = (...all: readonly ApiKey[]) => all.map(renderApiKey).sort();

describeEachStore('an import of API keys', open => {
  const rosterOf = async (organization: OrganizationId) =>
    (await recordsOf(open.reader, organization)).sort();
  const organizationWith = async (...all: readonly ApiKey[]) => {
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, all);
    return id;
  };

  test('writes each key to the organization of its line, where the same ID may be of several, and records each', async () => {
    const changed: ApiKey = {
      ...first,
      name: 'Old name',
      status: 'inactive',
      workspaceId: null,
      partialKeyHint: 'sk-n...0000' as PartialKeyHint,
    };
    const [one, other] = [await organizationWith(changed), await organizationWith(first)];
    const { importId, organizations, ...counts } = await importLines(open.writer, linesOf(one, other));
    assert.deepEqual(counts, { inserted: 6, updated: 1, unchanged: 1, refused: 0, refusals: [] });
    const each = { created: false, inserted: 3, refused: 0 };
    assert.deepEqual(organizations, [
      { ...each, organizationId: one, updated: 1, unchanged: 0 },
      { ...each, organizationId: other, updated: 0, unchanged: 1 },
    ]);
    for (const id of [one, other]) assert.deepEqual(await rosterOf(id), rendered(...keys));
    const entries = await open.writer.listAuditEntries({}, 0, 10_000);
    assert.deepEqual(
      entries
        .filter(({ subjectId }) => subjectId === importId)
        .map(({ action, organizationId, details }) => [action, organizationId, details]),
      organizations.map(({ organizationId, created, ...details }) => ['import', organizationId, details]),
    );
  });

  test('refuses to change what is fixed of a known key, an unknown organization and a second line of an ID, and imports nothing', async () => {
    const one = await organizationWith(...keys.slice(0, 3));
    const unknown = 'org_unknown' as OrganizationId;
    const cases: [key: ApiKey, field: string | null, problem: RegExp, organization?: OrganizationId][] = [
      [{ ...first, createdAt: (first.createdAt + 1n) as Timestamp }, 'created_at', /^cannot change/],
      [{ ...second, createdBy: { id: 'user_2' as CreatorId, type: 'user' } }, 'created_by.id', /^cannot/],
      [
        { ...keys[2], createdBy: { ...keys[2].createdBy, type: 'service_account' } },
        'created_by.type',
        /^cannot/,
      ],
      [keys[3], 'organization_id', /^there is no organization org_unknown$/, unknown],
      [second, 'id', /^duplicate of line 2$/],
    ];
    const lines = cases.map(([key, , , organizationId = one], index) => ({
      line: index + 1,
      organizationId,
      key,
    }));
    const last = { line: 6, organizationId: one, key: keys[3] };
    const { refusals, importId, inserted } = await importLines(open.writer, [...lines, last]);
    assert.deepEqual([importId, inserted], [null, 0]);
    const found = refusals.toSorted((a, b) => a.line - b.line);
    for (const [index, [, field, problem, organizationId = one]] of cases.entries()) {
      assert.deepEqual([found[index]?.line, found[index]?.organizationId], [index + 1, organizationId]);
      assert.equal(found[index]?.faults[0]?.field, field);
      assert.match(String(found[index]?.faults[0]?.problem), problem);
    }
    assert.deepEqual(await rosterOf(one), rendered(...keys.slice(0, 3)));
  });

  test('creates the organizations that there are not, if it is asked to, and records each', async () => {
    const known = await organizationWith();
    const [unknown, empty] = [newId<OrganizationId>('org'), newId<OrganizationId>('org')];
    const faulty = { line: 99, organizationId: empty, faults: [{ field: null, problem: 'bad' }], source: '' };
    const lines = [...linesOf(known, unknown), faulty];
    const options = { createOrganizations: true, skipRefused: true };
    const dry = await importLines(open.writer, lines, { ...options, dryRun: true });
    assert.equal(dry.importId, null);
    await assert.rejects(open.writer.findOrganization(unknown), /no organization with this ID/);
    const done = await importLines(open.writer, lines, options);
    assert.deepEqual({ ...done, importId: null }, dry);
    const created = done.organizations.map(each => [each.organizationId, each.created]);
    assert.deepEqual(Object.fromEntries(created), { [known]: false, [unknown]: true });
    assert.equal((await open.writer.findOrganization(unknown)).name, unknown);
    assert.deepEqual(await rosterOf(unknown), rendered(...keys));
    await assert.rejects(open.writer.findOrganization(empty), /no organization with this ID/);
    const entries = await open.writer.listAuditEntries({ organizationId: unknown }, 0, 10);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['create_organization', 'import'],
    );
  });

  test('that is a dry run returns the counts and refusals of the real one, and changes nothing', async () => {
    const known = fc.uniqueArray(meetingKey, { selector: each => each.id });
    const property = fc.asyncProperty(
      known,
      fc.array(meetingKey),
      fc.boolean(),
      async (before, imported, skipRefused) => {
        const organization = await organizationWith(...before);
        const options = { skipRefused, dryRun: true };
        const predicted = await importKeys(open.writer, organization, imported, options);
        assert.deepEqual(await rosterOf(organization), rendered(...before));
        const done = await importKeys(open.writer, organization, imported, { skipRefused });
        assert.deepEqual(predicted, done);
        if (skipRefused)
          assert.equal(done.inserted + done.updated + done.unchanged + done.refused, imported.length);
        else if (done.refused > 0) assert.deepEqual(await rosterOf(organization), rendered(...before));
      },
    );
    await fc.assert(property, { numRuns: rounds(5) });
  });

  test('reports how many keys are written, up to all of them', async () => {
    const organization = await organizationWith();
    const reported: [number, number][] = [];
    const onProgress = (written: number, of: number) => reported.push([written, of]);
    const { inserted } = await importKeys(open.writer, organization, firstKeys(21_000), { onProgress });
    const { apiKeys } = await open.writer.findContents(organization);
    assert.deepEqual([inserted, apiKeys], [21_000, 21_000]);
    assert.ok(reported.length > 1, 'progress is reported before the end');
    assert.deepEqual(reported.at(-1), [21_000, 21_000]);
    assert.deepEqual(
      reported,
      reported.toSorted(([a], [b]) => a - b),
    );
  });

  test('imports nothing when its source, or who is told of a refusal or of progress, fails; and the next import succeeds', async () => {
    const fail = () => {
      throw new Error('the disk is full');
    };
    const organization = await organizationWith(first);
    const line = { line: 1, organizationId: organization, key: second };
    const invalid = {
      line: 2,
      organizationId: null,
      faults: [{ field: 'name', problem: 'bad' }],
      source: '',
    };
    async function* failing(): AsyncGenerator<ImportLine[]> {
      yield [line];
      fail();
    }
    async function* refused(): AsyncGenerator<ImportLine[]> {
      yield [line, invalid];
    }
    for (const work of [
      () => open.writer.importApiKeys(failing(), { onRefused: () => {} }),
      () => open.writer.importApiKeys(refused(), { onRefused: fail, skipRefused: true }),
      () => importKeys(open.writer, organization, [second], { onProgress: fail }),
    ])
      await assert.rejects(work(), /the disk is full/);
    assert.equal((await open.writer.importApiKeys(refused(), { onRefused: () => {} })).refused, 1);
    assert.deepEqual(await rosterOf(organization), rendered(first));
    assert.equal((await importKeys(open.writer, organization, [second])).inserted, 1);
  });
});
