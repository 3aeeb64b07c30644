import assert from 'node:assert/strict';
import { before, describe, type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import type { OrganizationId } from '../../../src/roster/identifier.ts';
import { type CitusDatabase, createCitusDatabase, skipWithoutCitus } from '../../support/citus.ts';
import { type NodeProcesses, processesOf } from '../../support/citus-processes.ts';
import { connect } from '../../support/connect.ts';
import { rolesFile } from '../../support/postgres-roles.ts';
import { createOrganization, importKeys } from '../../support/roster.ts';
import { atEndOf, type Scope, suiteScope } from '../../support/scope.ts';
import { numberedKeys } from '../../support/seeded-service.ts';
import { startService, type TestService } from '../../support/service.ts';
import { type StallingProxy, startStallingProxy } from '../../support/stalling-proxy.ts';
import { storeAt } from '../../support/store-at.ts';
import { until } from '../../support/until.ts';

/** Longer than a statement may take, so that some are cancelled and tried again. */
const FAULT_MS = 8_000;
const KEYS = 30;
const ORGANIZATIONS = 32;

interface Listed {
  readonly id: OrganizationId;
  readonly secret: string;
  readonly shard: string;
  /** The number of its worker's group. */
  readonly group: number;
}

describe('with a fault at one worker of Citus', { skip: skipWithoutCitus }, () => {
  const scope = suiteScope();
  let database: CitusDatabase;
  let proxy: StallingProxy;
  let client: Client;
  let organizations: readonly Listed[];
  let worker: NodeProcesses | string;
  before(async () => {
    const portOf = async ({ port }: { port: number }) => {
      if (proxy) return port;
      proxy = await startStallingProxy(port);
      return proxy.port;
    };
    database = await createCitusDatabase({ alone: true, portOf });
    atEndOf(scope, () => proxy.close());
    atEndOf(scope, database.remove);
    await storeAt(database.url).migrate();
    client = await connect(scope, database.url);
    await client.query(rolesFile);
    organizations = await makeOrganizations(database.url, client);
    worker = await processesOf(scope, database.workers[0]);
  });

  const isHere = ({ group }: Listed) => group === 1;
  const startReader = (t: Scope) => serve(t, asReader(database.url));

  test('that hangs, organizations elsewhere are served, and all again once it runs', async t => {
    if (typeof worker === 'string') return t.skip(worker);
    const service = await startReader(t);
    await assertOthersServed(t, { service, organizations, isAffected: isHere }, worker.freeze, worker.resume);
  });

  test('with one locked shard, organizations of its other shards are served too, and all again once it is free', async t => {
    const service = await startReader(t);
    const locked = organizations.find(isHere)?.shard;
    assert.ok(organizations.some(each => isHere(each) && each.shard !== locked));
    const holder = await connect(t, database.workers[0]?.url ?? '');
    const lock = async () => {
      await holder.query('SET citus.enable_manual_changes_to_shards = on');
      await holder.query('BEGIN');
      await holder.query(`LOCK TABLE keyroster.api_keys_${locked} IN ACCESS EXCLUSIVE MODE`);
    };
    const isAffected = ({ shard }: Listed) => shard === locked;
    const unlock = () => holder.query('ROLLBACK');
    await assertOthersServed(t, { service, organizations, isAffected }, lock, unlock);
  });

  test('a service that starts while one of the workers hangs is ready, whichever it is', async t => {
    for (const node of database.workers) {
      const processes = await processesOf(t, node);
      if (typeof processes === 'string') return t.skip(processes);
      processes.freeze();
      const service = await startReader(t);
      processes.resume();
      await assertAllServed(service, organizations);
    }
  });
});

interface Served {
  readonly service: TestService;
  readonly organizations: readonly Listed[];
  isAffected(organization: Listed): boolean;
}

/** By callers of their own, so that those who wait for an answer don't hold up the others. */
async function assertOthersServed(
  t: TestContext,
  { service, organizations, isAffected }: Served,
  begin: () => unknown,
  end: () => unknown,
): Promise<void> {
  const affected = organizations.filter(isAffected);
  const elsewhere = organizations.filter(each => !isAffected(each));
  assert.ok(affected.length > 0 && elsewhere.length > 0);
  const before = await callers(service, elsewhere, 8, 2_000);
  await begin();
  const [here, there] = await Promise.all([
    callers(service, affected, 4, FAULT_MS),
    callers(service, elsewhere, 8, FAULT_MS),
  ]);
  t.diagnostic(`elsewhere before: ${told(before)}`);
  t.diagnostic(`elsewhere: ${told(there)}`);
  t.diagnostic(`affected: ${told(here)}`);
  await end();
  const start = performance.now();
  await assertAllServed(service, organizations);
  t.diagnostic(`all served after ${Math.round(performance.now() - start)} ms`);
  const answered = there.filter(({ status }) => status === 200).length;
  assert.ok(answered >= 0.99 * there.length, told(there));
}

async function assertAllServed(service: TestService, organizations: readonly Listed[]): Promise<void> {
  for (const { secret } of organizations)
    await until('its pages are served', async () => (await service.list(secret)).status === 200);
}

interface Answered {
  readonly status: number;
  readonly ms: number;
}

/** Each asks for a page after the other, with a pause, since the test shares its processor with the service and the cluster. */
async function callers(
  service: TestService,
  organizations: readonly Listed[],
  count: number,
  forMs: number,
): Promise<Answered[]> {
  const answers: Answered[] = [];
  const end = performance.now() + forMs;
  let next = 0;
  const call = async () => {
    while (performance.now() < end) {
      const start = performance.now();
      const { status } = await service.list(organizations[next++ % organizations.length]?.secret ?? '');
      answers.push({ status, ms: performance.now() - start });
      await setTimeout(20);
    }
  };
  await Promise.all(Array.from({ length: count }, call));
  return answers;
}

function told(answers: readonly Answered[]): string {
  const statuses = Object.entries(Object.groupBy(answers, ({ status }) => status));
  const counts = statuses.map(([status, { length } = []]) => `${length} with ${status}`).join(', ');
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const quantile = (share: number) => (times[Math.ceil(times.length * share) - 1] ?? 0).toFixed(1);
  return `${counts}, p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, at most ${quantile(1)} ms`;
}

async function makeOrganizations(url: string, client: Client): Promise<Listed[]> {
  const writer = await storeAt(url).openWriter();
  const made = new Map<string, string>();
  for (let number = 0; number < ORGANIZATIONS; number += 1) {
    const { id, secret } = await createOrganization(writer);
    await importKeys(writer, id, numberedKeys(KEYS));
    made.set(id, secret);
  }
  await writer.close();
  const { rows } = await client.query<{ id: OrganizationId; shard: string; group: string }>(
    `SELECT id, shardid AS shard, groupid AS group FROM unnest($1::text[]) AS id
     JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('keyroster.api_keys', id)`,
    [[...made.keys()]],
  );
  return rows.map(({ id, shard, group }) => ({
    id,
    secret: made.get(id) ?? '',
    shard,
    group: Number(group),
  }));
}

const asReader = (url: string) => Object.assign(new URL(url), { username: 'keyroster_reader' }).href;

async function serve(scope: Scope, url: string): Promise<TestService> {
  const reader = await storeAt(url).openReader();
  atEndOf(scope, () => reader.close());
  await reader.checkReadiness();
  const service = await startService(reader);
  atEndOf(scope, () => service.close());
  return service;
}
