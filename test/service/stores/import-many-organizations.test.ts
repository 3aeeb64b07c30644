import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderApiKey } from '../../../src/service/roster/api-key.ts';
import type { ImportLine } from '../../../src/service/roster/imports.ts';
import { newId, type OrganizationId } from '../../../src/shared/record/identifier.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { recordsOf } from '../../support/opened.ts';
import { createOrganization, importKeys, importLines } from '../../support/roster.ts';

const keys = firstKeys(4);
const newOrganization = () => newId<OrganizationId>('org');
const linesOf = (...organizations: OrganizationId[]): ImportLine[] =>
  keys
    .flatMap(key => organizations.map(organizationId => ({ organizationId, key })))
    .map((each, index) => ({ line: index + 1, ...each }));

describeEachStore('an import of many organizations', open => {
  const rosterOf = async (organization: OrganizationId) =>
    (await recordsOf(open.reader, organization)).sort();
  const entriesOf = async (importId: string | null) =>
    (await open.writer.listAuditEntries({}, 0, 10_000)).filter(({ subjectId }) => subjectId === importId);
  const created = async () => (await createOrganization(open.writer)).id;

  test('writes each key to the organization of its line, where the same ID may be of several', async () => {
    const [one, other] = [await created(), await created()];
    await importKeys(open.writer, other, keys.slice(0, 1));
    const { importId, organizations, ...counts } = await importLines(open.writer, linesOf(one, other));
    assert.deepEqual(counts, { inserted: 7, updated: 0, unchanged: 1, refused: 0, refusals: [] });
    const none = { created: false, updated: 0, refused: 0 };
    assert.deepEqual(organizations, [
      { ...none, organizationId: one, inserted: 4, unchanged: 0 },
      { ...none, organizationId: other, inserted: 3, unchanged: 1 },
    ]);
    for (const each of [one, other]) assert.deepEqual(await rosterOf(each), keys.map(renderApiKey).sort());
    assert.deepEqual(
      (await entriesOf(importId)).map(({ action, organizationId, details }) => [
        action,
        organizationId,
        details,
      ]),
      organizations.map(({ organizationId, created, ...details }) => ['import', organizationId, details]),
    );
  });

  test('refuses an unknown organization and a second line of an ID in one, and imports nothing', async () => {
    const one = await created();
    const lines = [
      ...linesOf(one).slice(0, 2),
      { line: 3, organizationId: 'org_unknown' as OrganizationId, key: keys[0] },
      { line: 4, organizationId: one, key: keys[1] },
    ] as ImportLine[];
    const { refusals, importId, inserted } = await importLines(open.writer, lines);
    assert.deepEqual([importId, inserted], [null, 0]);
    assert.deepEqual(
      refusals.map(({ line, organizationId, faults }) => [line, organizationId, faults[0]?.problem]),
      [
        [3, 'org_unknown', 'there is no organization org_unknown'],
        [4, one, 'duplicate of line 2'],
      ],
    );
    assert.deepEqual(await rosterOf(one), []);
  });

  test('creates the organizations that there are not, if it is asked to, and records each', async () => {
    const [known, unknown, empty] = [await created(), newOrganization(), newOrganization()];
    const faulty = { line: 99, organizationId: empty, faults: [{ field: null, problem: 'bad' }], source: '' };
    const options = { createOrganizations: true, skipRefused: true };
    const dry = await importLines(open.writer, [...linesOf(known, unknown), faulty], {
      ...options,
      dryRun: true,
    });
    assert.equal(dry.importId, null);
    await assert.rejects(open.writer.findOrganization(unknown), /no organization with this ID/);
    const done = await importLines(open.writer, [...linesOf(known, unknown), faulty], options);
    assert.deepEqual({ ...done, importId: null }, dry);
    assert.deepEqual(
      done.organizations.map(({ organizationId, created }) => [organizationId, created]),
      [
        [known, false],
        [unknown, true],
      ],
    );
    assert.equal((await open.writer.findOrganization(unknown)).name, unknown);
    assert.deepEqual(await rosterOf(unknown), keys.map(renderApiKey).sort());
    await assert.rejects(open.writer.findOrganization(empty), /no organization with this ID/);
    const entries = await open.writer.listAuditEntries({ organizationId: unknown }, 0, 10);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['create_organization', 'import'],
    );
  });
});
