import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import { Refused } from '../../../src/shared/record/faults.ts';
import type { ApiKeyId, OrganizationId } from '../../../src/shared/record/identifier.ts';
import { STATUSES, type Status } from '../../../src/shared/record/status.ts';
import { firstKeys, modelPage } from '../../support/changing-roster.ts';
import { describeEachStore } from '../../support/each-store.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';

const key = (id: string, status: Status): ApiKey =>
  ({ ...firstKeys(1)[0], id, status, name: `"${id}" é 🗝` }) as ApiKey;
const ids = (...all: string[]) => all as ApiKeyId[];
/** The transitions of docs/api.md#the-record. */
const ALLOWED: Readonly<Record<Status, readonly Status[]>> = {
  active: ['active', 'inactive', 'archived'],
  inactive: ['active', 'inactive', 'archived'],
  archived: ['archived'],
};

describeEachStore('setting a status', open => {
  const organizationWith = async (...keys: readonly ApiKey[]) => {
    const { id } = await createOrganization(open.writer);
    await importKeys(open.writer, id, keys);
    return id;
  };
  /** Asserts that the organization has exactly these keys, and that each status filter lists the right ones. */
  const assertRoster = async (organization: OrganizationId, keys: readonly ApiKey[]) => {
    for (const filter of [{}, ...STATUSES.map(status => ({ status }))]) {
      const query = { limit: 1000, cursor: null, filter };
      const page = await open.reader.listApiKeys(organization, query);
      assert.deepEqual(
        page?.items.map(({ record }) => JSON.parse(record)),
        modelPage(keys, query)?.data,
      );
    }
  };

  for (const from of STATUSES) {
    for (const to of STATUSES) {
      const allowed = ALLOWED[from].includes(to);
      test(`${from} ${allowed ? 'may become' : 'never becomes'} ${to}, by a status that is set and by an import`, async () => {
        const renamed = { ...key('k1', to), name: 'Renamed' };
        const set = await organizationWith(key('k1', from));
        const work = open.writer.setStatus(set, ids('k1'), to);
        if (allowed)
          assert.deepEqual(await work, { changed: from === to ? 0 : 1, unchanged: from === to ? 1 : 0 });
        else await assert.rejects(work, Refused);
        await assertRoster(set, [key('k1', allowed ? to : from)]);
        const imported = await organizationWith(key('k1', from));
        const { refused } = await importKeys(open.writer, imported, [renamed]);
        assert.equal(refused, allowed ? 0 : 1);
        await assertRoster(imported, [allowed ? renamed : key('k1', from)]);
      });
    }
  }

  test("another organization's key is refused like an unknown key", async () => {
    const organization = await organizationWith();
    const other = await organizationWith(key('k1', 'active'));
    await assert.rejects(
      open.writer.setStatus(organization, ids('k1'), 'inactive'),
      /k1: no such API key in this organization/,
    );
    await assertRoster(other, [key('k1', 'active')]);
    const unknown = 'org_unknown' as OrganizationId;
    await assert.rejects(open.writer.setStatus(unknown, ids('k1'), 'active'), Refused);
  });
});
