import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { RosterWriter } from '../../../src/service/roster/roster.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { ImportId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import type { Status } from '../../../src/shared/record/status.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { newStore, recordsOf } from '../../support/opened.ts';
import { createOrganization, importKeys, importLines } from '../../support/roster.ts';
import { rounds } from '../../support/rounds.ts';
import { atEndOf, suiteScope } from '../../support/scope.ts';
import type { TestStore } from '../../support/stores.ts';

const withStatus = (keys: readonly ApiKey[], status: Status) => keys.map(key => ({ ...key, status }));
const known = withStatus(firstKeys(20), 'active');
const imported = withStatus(firstKeys(40), 'inactive');
/** Some whose status the import changes, and some that it inserts. */
const written = withStatus(imported.slice(10, 30), 'archived');

describe('the revert of an import, beside who writes its keys over another connection', () => {
  const scope = suiteScope();
  let store: TestStore;
  let reverting: RosterWriter;
  let writing: RosterWriter;
  before(async () => {
    store = await newStore(scope);
    reverting = await store.openWriter();
    writing = await store.openWriter();
    atEndOf(scope, () => Promise.all([reverting.close(), writing.close()]));
  });

  async function organizationWithImport() {
    const { id } = await createOrganization(writing);
    await importKeys(writing, id, known);
    const lines = imported.map((key, index) => ({ line: index + 1, organizationId: id, key }));
    return { id, importId: (await importLines(writing, lines)).importId as ImportId };
  }
  const statusesIn = async (id: OrganizationId) =>
    new Map(
      (await recordsOf(writing, id)).map(record => JSON.parse(record)).map(key => [key.id, key.status]),
    );
  const statuses = (...layers: (readonly ApiKey[])[]) =>
    new Map(layers.flat().map(({ id, status }) => [id, status]));
  const sorted = (map: ReadonlyMap<unknown, unknown>) => [...map].sort();

  for (const [what, write] of [
    ['a put', (id: OrganizationId) => writing.putApiKeys(id, written)],
    ['an import', (id: OrganizationId) => importKeys(writing, id, written)],
  ] as const)
    test(`is done before ${what} of the same keys, or refused after it`, async t => {
      let reverts = 0;
      for (let round = 0; round < rounds(5); round++) {
        const { id, importId } = await organizationWithImport();
        const revert = async () => {
          await setTimeout(Math.random() * 15);
          return reverting.revertImport(importId, {}).then(
            () => true,
            error => {
              assert.ok(error instanceof Refused, String(error));
              return false;
            },
          );
        };
        const [isReverted] = await Promise.all([
          revert(),
          setTimeout(Math.random() * 15).then(() => write(id)),
        ]);
        if (isReverted) reverts += 1;
        const expected = isReverted ? statuses(known, written) : statuses(imported, written);
        assert.deepEqual(sorted(await statusesIn(id)), sorted(expected));
      }
      t.diagnostic(`${reverts} of ${rounds(5)} came first`);
    });
});
