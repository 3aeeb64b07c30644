/** Whether an admin key was once good must not be told by how long its refusal takes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AdminKeySecret } from '../../src/roster/admin-key-secret.ts';
import type { Timestamp } from '../../src/roster/timestamp.ts';
import { listRequest } from '../support/raw-corpus.ts';
import { createAdminKey, now, VENDOR } from '../support/roster.ts';
import { type ServedRoster, serveRoster, type Tenant } from '../support/served-roster.ts';
import { storeKinds } from '../support/stores.ts';
import { TimedClient } from '../support/timed-client.ts';

const ROUNDS = 6_000;
const WARM_UP = 1_000;
/**
 * How often one takes longer than the other: a half, if they are alike. Noise of the machine hits both, since they take
 * turns; by chance alone it is off by 0.026 once in 15,000 runs of 6,000 rounds.
 */
const FARTHEST_FROM_A_HALF = 0.05;

for (const kind of storeKinds) {
  test(`an unknown, a revoked and an expired key take the same time over ${kind.name}`, async t => {
    const service = await serveRoster(t, { kind });
    const keys = await wrongKeys(service);
    const client = await TimedClient.to(service.port);
    t.after(() => client.close());
    const [tenant] = service.tenants as [Tenant];

    const names = Object.keys(keys);
    const orders = ordersOf(names);
    const times: Record<string, number[]> = Object.fromEntries(names.map(name => [name, []]));
    for (let round = 0; round < WARM_UP + ROUNDS; round++) {
      for (const name of orders[round % orders.length] ?? []) {
        const { elapsed, status } = await client.time(
          listRequest({ ...tenant, secret: String(keys[name]) }, 1),
        );
        assert.equal(status, 401);
        if (round >= WARM_UP) times[name]?.push(elapsed);
      }
    }
    const found = names.flatMap((one, index) =>
      names.slice(index + 1).map(other => ({ one, other, longer: shareOfLonger(times[one], times[other]) })),
    );
    for (const { one, other, longer } of found)
      t.diagnostic(`${one} takes longer than ${other}: ${longer.toFixed(3)}`);
    for (const name of names) t.diagnostic(`${name}: median ${median(times[name]).toFixed(4)} ms`);
    for (const { one, other, longer } of found) {
      assert(Math.abs(longer - 0.5) <= FARTHEST_FROM_A_HALF, `${one} against ${other}: ${longer.toFixed(3)}`);
    }
  });
}

/** Two of each: where a difference shows between two of one sort, it is no difference between the sorts. */
async function wrongKeys({ store, tenants }: ServedRoster): Promise<Record<string, string>> {
  const [{ organization }] = tenants as [Tenant];
  const writer = await store.openWriter();
  const past = (now() - 1n) as Timestamp;
  try {
    return {
      unknown: AdminKeySecret.issue(VENDOR).reveal(),
      'another unknown': AdminKeySecret.issue(VENDOR).reveal(),
      revoked: await createAdminKey(writer, organization, { revokedAt: past }),
      expired: await createAdminKey(writer, organization, { expiresAt: past }),
    };
  } finally {
    await writer.close();
  }
}

/** In every order there is, one round after the other: what comes before a request may change its time. */
function ordersOf(names: readonly string[]): string[][] {
  if (names.length === 0) return [[]];
  return names.flatMap(first => ordersOf(names.filter(name => name !== first)).map(rest => [first, ...rest]));
}

function shareOfLonger(one: readonly number[] = [], other: readonly number[] = []): number {
  const points = one.map((time, round) => {
    const against = other[round] ?? 0;
    return time > against ? 1 : time === against ? 0.5 : 0;
  });
  return points.reduce<number>((sum, point) => sum + point, 0) / points.length;
}

function median(times: readonly number[] = []): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
