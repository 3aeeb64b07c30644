import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, type OrganizationId } from '../../../src/roster/identifier.ts';
import { createCitusDatabase, organizationsByWorker, skipWithoutCitus } from '../../support/citus.ts';
import { processesOf } from '../../support/citus-processes.ts';
import { connect } from '../../support/connect.ts';
import { ALL, createAdminKey, createOrganization, now } from '../../support/roster.ts';
import { atEndOf, type Scope } from '../../support/scope.ts';
import { startStallingProxy } from '../../support/stalling-proxy.ts';
import { storeAt } from '../../support/store-at.ts';

const skip = skipWithoutCitus;

test('while a worker hangs, each admin key can be revoked, and organizations of other shards are made', {
  skip,
}, async t => {
  const roster = await rosterOnTwoWorkers(t);
  const processes = await processesOf(t, roster.database.workers[0]);
  if (typeof processes === 'string') return t.skip(processes);
  processes.freeze();
  await assertOperable(roster);
  processes.resume();
  await assertOperable(roster);
});

interface Listed {
  readonly id: OrganizationId;
  readonly secret: string;
}

/** Organizations on the first worker and on the other ones. */
async function rosterOnTwoWorkers(scope: Scope, { behindProxy = false } = {}) {
  let proxy: Awaited<ReturnType<typeof startStallingProxy>> | undefined;
  const portOf = async ({ port }: { port: number }) => {
    if (!behindProxy || proxy) return port;
    proxy = await startStallingProxy(port);
    return proxy.port;
  };
  const database = await createCitusDatabase({ alone: !behindProxy, portOf });
  atEndOf(scope, () => proxy?.close());
  atEndOf(scope, database.remove);
  await storeAt(database.url).migrate();
  const writer = await storeAt(database.url).openWriter();
  atEndOf(scope, () => writer.close());
  const organizations: Listed[] = [];
  for (let made = 0; made < 16; made += 1) organizations.push(await createOrganization(writer));
  const client = await connect(scope, database.url);
  const [here = [], ...others] = await organizationsByWorker(client, organizations);
  const elsewhere = others.flat();
  assert.ok(here.length > 0 && elsewhere.length > 0, 'both workers have organizations');
  return { database, writer, client, here, elsewhere, proxy };
}

type Roster = Awaited<ReturnType<typeof rosterOnTwoWorkers>>;

/** What an operator does when a key has leaked needs no worker, and a new customer one. */
async function assertOperable({ writer, here, elsewhere, client }: Roster): Promise<void> {
  const adminKeys = await writer.listAdminKeys(null, ...ALL);
  for (const organization of [here[0], elsewhere[0]]) {
    const key = adminKeys.find(({ organizationId }) => organizationId === organization?.id);
    assert.ok(key);
    assert.notEqual((await writer.revokeAdminKey(key.id, now())).revokedAt, null);
  }
  const candidates = Array.from({ length: 16 }, () => ({ id: newId<OrganizationId>('org') }));
  const id = (await organizationsByWorker(client, candidates)).at(-1)?.[0]?.id as OrganizationId;
  await writer.createOrganization({ id, name: 'New', createdAt: now() });
  await createAdminKey(writer, id);
}
