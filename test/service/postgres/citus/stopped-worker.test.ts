import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Client } from 'pg';
import type { RosterWriter } from '../../../../src/service/roster/roster.ts';
import { newId, type OrganizationId } from '../../../../src/shared/record/identifier.ts';
import {
  type CitusDatabase,
  type CitusNode,
  createCitusDatabase,
  organizationsByWorker,
  skipWithoutCitus,
} from '../../../support/citus.ts';
import { processesOf } from '../../../support/citus-processes.ts';
import { connect } from '../../../support/connect.ts';
import { readerOf, writerOf } from '../../../support/opened.ts';
import { rolesFile } from '../../../support/postgres-roles.ts';
import { ALL, createAdminKey, createOrganization, now } from '../../../support/roster.ts';
import { atEndOf, type Scope, suiteScope } from '../../../support/scope.ts';
import { startService, type TestService } from '../../../support/service.ts';
import { storeAt } from '../../../support/store-at.ts';
import { until } from '../../../support/until.ts';

interface Listed {
  readonly id: OrganizationId;
  readonly secret: string;
}

describe('while a worker of Citus hangs', { skip: skipWithoutCitus }, () => {
  const scope = suiteScope();
  let database: CitusDatabase;
  let writer: RosterWriter;
  let client: Client;
  let here: readonly Listed[];
  let elsewhere: readonly Listed[];
  before(async () => {
    database = await createCitusDatabase({ alone: true });
    atEndOf(scope, database.remove);
    await storeAt(database.url).migrate();
    client = await connect(scope, database.url);
    await client.query(rolesFile);
    writer = await writerOf(scope, storeAt(database.url));
    const organizations: Listed[] = [];
    for (let made = 0; made < 16; made += 1) organizations.push(await createOrganization(writer));
    const [first = [], ...others] = await organizationsByWorker(client, organizations);
    [here, elsewhere] = [first, others.flat()];
    assert.ok(here.length > 0 && elsewhere.length > 0, 'both workers have organizations');
  });

  test('organizations elsewhere are served, and all again once it runs', async t => {
    const worker = await processesOf(t, database.workers[0] as CitusNode);
    if (typeof worker === 'string') return t.skip(worker);
    const service = await startReader(t);
    worker.freeze();
    const held = here.slice(0, 4).map(({ secret }) => service.list(secret));
    await assertServed(service, elsewhere);
    worker.resume();
    await Promise.all(held);
    await assertServed(service, [...here, ...elsewhere]);
  });

  test('each admin key can be revoked, and organizations of other shards are made', async t => {
    const worker = await processesOf(t, database.workers[0] as CitusNode);
    if (typeof worker === 'string') return t.skip(worker);
    worker.freeze();
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
  });

  async function startReader(t: Scope): Promise<TestService> {
    const url = Object.assign(new URL(database.url), { username: 'keyroster_reader' }).href;
    const reader = await readerOf(t, storeAt(url));
    await reader.checkReadiness();
    const service = await startService(reader);
    atEndOf(t, () => service.close());
    return service;
  }
});

async function assertServed(service: TestService, organizations: readonly Listed[]): Promise<void> {
  for (const { secret } of organizations)
    await until('its pages are served', async () => (await service.list(secret)).status === 200);
}
