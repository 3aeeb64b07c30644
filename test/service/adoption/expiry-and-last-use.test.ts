/** When a key expires and was last used, as it is proposed for better-auth's table and listed from it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import type { OrganizationId } from '../../../src/shared/record/identifier.ts';
import { openBetterAuth } from '../../support/adopted/better-auth.ts';
import { examine } from '../../support/adopted/examine.ts';
import { adopt } from '../../support/adopted/kinds.ts';
import { proposalFor } from '../../support/adopted/proposals.ts';
import { type VendorDatabase, vendorDatabase } from '../../support/adopted/vendor-database.ts';
import type { MappingFile } from '../../support/adopted/vendor-table.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { storeAt } from '../../support/store-at.ts';

type Times = Readonly<Record<string, unknown>>;

describe('the proposal for the table of better-auth', () => {
  test('lists what its plugin keeps of keys that expire and were used', async t => {
    const database = await databaseIn(t, 'Asia/Tokyo');
    const auth = await openBetterAuth(database.url);
    atEndOf(t, auth.close);
    await auth.migrate();
    const account = { email: 'a@example.com', password: randomBytes(16).toString('hex'), name: 'A' };
    const { user } = await auth.api().signUpEmail({ body: account });
    for (const expiresIn of [undefined, 86_400 * 3])
      for (const isUsed of [false, true]) {
        const body = { userId: user.id, name: 'Key', ...(expiresIn && { expiresIn }) };
        const { key } = await auth.api().createApiKey({ body });
        if (isUsed) assert((await auth.api().verifyApiKey({ body: { key } })).valid);
      }
    await adoptProposed(database);
    const expected = await timesBySql(database);
    assert.equal(
      new Set(
        Object.values(expected).map(times => JSON.stringify(Object.values(times as Times).map(Boolean))),
      ).size,
      4,
    );
    assert.deepEqual(await listedTimes(database), expected);
  });
});

/** Whose sessions have another time zone than UTC. */
async function databaseIn(t: Scope, zone: string): Promise<VendorDatabase> {
  const database = await vendorDatabase(t);
  const name = new URL(database.url).pathname.slice(1);
  await database.client.query(`ALTER DATABASE ${name} SET TimeZone = '${zone}'; SET TimeZone = '${zone}'`);
  return database;
}

async function adoptProposed({ url }: VendorDatabase): Promise<void> {
  const { file } = await proposalFor(url, 'public.apikey');
  const mapping = file as MappingFile;
  assert.deepEqual(await examine(url, mapping), { faults: [], warnings: [] });
  await adopt(url, mapping);
}

/** By the ID of the key. */
async function timesBySql({ client }: VendorDatabase): Promise<Times> {
  const text = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  const { rows } = await client.query(
    `SELECT id::text, ${text('"expiresAt"')} AS expires_at, ${text('"lastRequest"')} AS last_used_at FROM public.apikey`,
  );
  return Object.fromEntries(rows.map(({ id, ...times }) => [id, times]));
}

/** By the pages that a service reads. */
async function listedTimes({ url, client }: VendorDatabase): Promise<Times> {
  const { rows } = await client.query('SELECT DISTINCT organization_id AS id FROM keyroster.api_keys');
  const reader = await storeAt(url).openReader();
  const listed: Record<string, unknown> = {};
  for (let cursor = null, isRead = false; !isRead; ) {
    const page = await reader.listApiKeys(rows[0].id as OrganizationId, { limit: 7, cursor, filter: {} });
    const records = page?.items.map(({ record }) => JSON.parse(record)) ?? [];
    for (const { id, expires_at, last_used_at } of records)
      listed[id] = { expires_at, ...(last_used_at !== undefined && { last_used_at }) };
    isRead = !page?.hasMore;
    cursor = { direction: 'after', id: records.at(-1)?.id } as never;
  }
  await reader.close();
  return listed;
}
