/** Releases of different schemas over one store: this one, and those after it (`test/support/next-release.ts`). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { migrations as ofPostgres } from '../../../src/service/postgres/migrations/schema.ts';
import type { OperatorReader, Snapshot } from '../../../src/service/roster/roster.ts';
import { START } from '../../../src/service/roster/walks.ts';
import { migrations as ofSqlite } from '../../../src/service/sqlite/migrations/schema.ts';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { becomeNextRelease } from '../../support/next-release.ts';
import { newStore, readerOf, writerOf } from '../../support/opened.ts';
import { createOrganization, importKeys, sqlite } from '../../support/roster.ts';
import { runSql } from '../../support/run-sql.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { postgres, type TestStore } from '../../support/stores.ts';

const FIRST_PAGE = { limit: 10, cursor: null, filter: {} };

test('no migration lets an older release go on than one before it does', () => {
  for (const migrations of [ofSqlite, ofPostgres]) {
    const from = migrations.map((step, index) => step.usableFrom ?? index + 1);
    assert.ok(from.every((version, index) => index === 0 || version >= Number(from[index - 1])));
  }
});

const EVERY_USE = ['openReader', 'openOperatorReader', 'openWriter', 'migrate', 'planMigration'] as const;

/** Before stores kept the digests of their steps they had no place for them. */
const MADE_BY_OTHERS = {
  sqlite: {
    'another step': "UPDATE migrations SET digest = 'another'",
    'an older commit': 'DROP TABLE migrations',
  },
  postgres: {
    'another step': "UPDATE keyroster.migrations SET digest = 'another'",
    'an older commit': 'ALTER TABLE keyroster.migrations DROP digest, DROP usable_from',
  },
};

for (const kind of [sqlite, postgres])
  describe(`releases of different schemas, over ${kind.name}`, () => {
    test('the next release reads this schema, is ready, and writes only once it is migrated', async t => {
      const { store, organization } = await storeWithKeys(t);
      const read = await allThatOperatorsRead(t, store, organization);
      await asNextRelease(async () => {
        await readsAndIsReady(t, store, organization);
        assert.deepEqual(await allThatOperatorsRead(t, store, organization), read);
        const reads =
          /is of an older release: run "keyroster migrate", which brings it from (\d) to \d; this release reads \1 to (\d), and writes \2$/;
        await assert.rejects(store.openWriter(), refused(reads));
        assert.equal(await store.migrate(), 2);
        await writes(t, store);
      });
    });

    test('this release goes on over the schema of the next one: it reads, writes, starts, is ready, and has nothing to migrate', async t => {
      const { store, organization } = await storeWithKeys(t);
      const reader = await readerOf(t, store);
      const writer = await writerOf(t, store);
      await asNextRelease(() => store.migrate());
      assert.equal((await reader.listApiKeys(organization, FIRST_PAGE))?.items.length, 10);
      assert.deepEqual(await reader.checkReadiness(), []);
      await createOrganization(writer);
      await readsAndIsReady(t, store, organization);
      const { snapshot } = await allThatOperatorsRead(t, store, organization);
      assert.equal(snapshot.page?.items.length, 10);
      await writes(t, store);
      assert.deepEqual(await store.planMigration(), []);
      assert.equal(await store.migrate(), 0);
    });

    test('two releases on, this one stops being ready, is refused, and changes nothing', async t => {
      const { store } = await storeWithKeys(t);
      const reader = await readerOf(t, store);
      await asNextRelease(() => asNextRelease(() => store.migrate()));
      await assert.rejects(reader.checkReadiness(), /newer release|this release has/);
      const newer = refused(/is of a newer release \(\d+, this one knows \d\): update keyroster$/);
      for (const use of EVERY_USE) await assert.rejects(store[use](), newer);
    });

    test('a store from two releases ago is refused with what to do, and that brings it up to date', async t => {
      const { store, organization } = await storeWithKeys(t);
      await asNextRelease(() =>
        asNextRelease(async () => {
          const older = refused(
            /is of an older release: run "keyroster migrate", which brings it from \d to \d+; this release reads \d+ to (\d+), and writes \1$/,
          );
          for (const open of ['openReader', 'openOperatorReader', 'openWriter'] as const)
            await assert.rejects(store[open](), older);
          assert.equal(await store.migrate(), 4);
          await readsAndIsReady(t, store, organization);
        }),
      );
    });

    for (const [whose, change] of Object.entries(
      kind === sqlite ? MADE_BY_OTHERS.sqlite : MADE_BY_OTHERS.postgres,
    ))
      test(`a store that ${whose} made is refused with what to do, whatever is done with it`, async t => {
        const { store } = await storeWithKeys(t);
        const reader = await readerOf(t, store);
        await runSql(store.url, change);
        const what =
          /^database: the schema of .+ is not of a release, but of another commit: with that commit export its API keys; then make a new store with this one and import them there$/;
        for (const use of EVERY_USE) await assert.rejects(store[use](), refused(what), use);
        await assert.rejects(reader.checkReadiness(), /is not of a release/);
      });

    async function storeWithKeys(scope: Scope) {
      const store = await newStore(scope, kind);
      const writer = await writerOf(scope, store);
      const { id: organization } = await createOrganization(writer);
      await importKeys(writer, organization, numberedKeys(20));
      return { store, organization };
    }
  });

async function asNextRelease<T>(work: () => Promise<T>): Promise<T> {
  const takeBack = becomeNextRelease();
  return work().finally(takeBack);
}

async function readsAndIsReady(scope: Scope, store: TestStore, organization: OrganizationId): Promise<void> {
  const reader = await readerOf(scope, store);
  assert.equal((await reader.listApiKeys(organization, FIRST_PAGE))?.items.length, 10);
  assert.deepEqual(await reader.checkReadiness(), []);
}

/** By a command that only reads. */
async function allThatOperatorsRead(scope: Scope, store: TestStore, organization: OrganizationId) {
  const reader = await store.openOperatorReader();
  atEndOf(scope, () => reader.close());
  const list = async (from: Pick<OperatorReader, keyof Snapshot>) => ({
    organizations: await from.listOrganizations(START, 10),
    organization: await from.findOrganization(organization),
    adminKeys: await from.listAdminKeys(null, START, 10),
    fields: await from.listFields(),
    page: await from.listApiKeys(organization, FIRST_PAGE),
  });
  return {
    now: await list(reader),
    snapshot: await reader.readSnapshot(list),
    imports: await reader.listImports(null, null, 10),
    contents: await reader.findContents(organization),
    audit: await reader.listAuditEntries({}, 0, 10),
  };
}

async function writes(scope: Scope, store: TestStore): Promise<void> {
  const writer = await writerOf(scope, store);
  const { id } = await createOrganization(writer);
  assert.deepEqual((await importKeys(writer, id, numberedKeys(3))).inserted, 3);
}

const refused = (message: RegExp) => ({ name: 'Refused', message });
