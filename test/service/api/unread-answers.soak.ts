import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { load, quantile } from '../../support/load.ts';
import { newStore } from '../../support/opened.ts';
import { listRequest } from '../../support/raw-corpus.ts';
import { organizationIn } from '../../support/roster.ts';
import { suiteScope } from '../../support/scope.ts';
import { startServiceProcess, type Tenant } from '../../support/service-process.ts';
import { type StoreKind, storeKinds } from '../../support/stores.ts';
import { keysWithLongNames, peakResidentMb, sendUnread } from '../../support/unread-answers.ts';

const KEYS = 1_000;
const MAX_MB = 400;
const MAX_P99_MS = 100;
/** Longer than a connection on which nothing is read stays open. */
const SECONDS = 12;

const attacks = {
  'a page of 1,000 keys on each of 749 connections': { connections: 749, request: [KEYS, 1] },
  '300 pages of 1,000 keys on each of 50 connections': { connections: 50, request: [KEYS, 300] },
  '20 pages of 20 keys on each of 749 connections': { connections: 749, request: [20, 20] },
} as const;

for (const kind of storeKinds) {
  describe(`over ${kind.name}, answers that are requested and not read take little memory:`, async () => {
    const scope = suiteScope();
    const { url, tenant } = await storeWithLongNames(kind);
    for (const [what, { connections, request }] of Object.entries(attacks)) {
      test(what, async t => {
        const service = await startServiceProcess(t, url);
        const [limit, times] = request;
        const probe = load(t, {
          port: service.port,
          requests: ['GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'],
          connections: 1,
          seconds: 2 * SECONDS,
          rate: 100,
        });
        await attack(service.port, listRequest(tenant, limit).repeat(times), connections);
        const p99 = quantile((await probe).seconds, 0.99);
        const peak = peakResidentMb(service.pid);
        t.diagnostic(`peak memory ${peak.toFixed(0)} MB; /healthz: p99 ${p99.toFixed(0)} ms`);
        assert(peak < MAX_MB, `peak memory ${peak} MB`);
        assert(p99 < MAX_P99_MS, `p99 of /healthz ${p99} ms`);
        assert(service.running());
      });
    }

    async function storeWithLongNames(kind: StoreKind): Promise<{ url: string; tenant: Tenant }> {
      const store = await newStore(scope, kind);
      const { id: organization, secret } = await organizationIn(store, keysWithLongNames(KEYS));
      return { url: store.url, tenant: { organization, secret } };
    }
  });
}

/** Twice, since memory may only grow the second time. */
async function attack(port: number, bytes: string, connections: number): Promise<void> {
  for (let wave = 0; wave < 2; wave++) {
    const sockets = await sendUnread(port, bytes, connections);
    await wait(SECONDS * 1_000);
    for (const socket of sockets) socket.destroy();
  }
}
