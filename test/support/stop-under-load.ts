import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { type LoadResult, load, statusesOf } from './load.ts';
import { listRequest } from './raw-corpus.ts';
import type { Scope } from './scope.ts';
import {
  startServiceProcess,
  startTenantService,
  type Tenant,
  type TenantService,
} from './service-process.ts';
import { until } from './until.ts';

export interface Stopped {
  readonly answered: number;
  readonly exitCode: number | null;
  readonly seconds: number;
  /** Requests that the service accepted and didn't answer; must be 0. */
  readonly unanswered: number;
  /** Unanswered first requests of new connections: the kernel accepted them, the service perhaps not. */
  readonly unansweredOnNew: number;
  readonly stderr: string;
}

/** Starts a service over this store, puts load on it, and stops it with SIGTERM under load. */
export async function stopUnderLoad(
  scope: Scope,
  { store, tenants }: TenantService,
  afterMs: number,
): Promise<Stopped> {
  const service = await startServiceProcess(scope, store.url);
  const requests = [listRequest(tenants[0] as Tenant, 20)];
  const common = { port: service.port, requests, seconds: 8 };
  const longLived = load(scope, { ...common, connections: 12 });
  const shortLived = load(scope, { ...common, connections: 4, requestsEach: 3 });
  await until('a request is logged', () => service.log().includes('"msg":"request"'));
  await setTimeout(afterMs);
  const start = performance.now();
  service.signal('SIGTERM');
  const { exitCode, stderr } = await service.ended();
  const seconds = (performance.now() - start) / 1000;
  const results = [await longLived, await shortLived];
  const sum = (count: (result: LoadResult) => number) =>
    results.reduce((total, each) => total + count(each), 0);
  const statuses = statusesOf(results.flatMap(each => each.seconds));
  // On a busy machine the service may shed load, which counts as an answer.
  for (const status of Object.keys(statuses))
    assert(['200', '503'].includes(status), `answered with ${status}`);
  return {
    answered: statuses[200] ?? 0,
    exitCode,
    seconds,
    unanswered: sum(result => result.unanswered + result.unfinished),
    unansweredOnNew: sum(result => result.unansweredOnNew),
    stderr,
  };
}

export function assertGracefulStop({ answered, exitCode, unanswered, stderr }: Stopped): void {
  assert.deepEqual({ exitCode, unanswered, stderr }, { exitCode: 0, unanswered: 0, stderr: '' });
  assert(answered > 0);
}

/** A store for the services that `stopUnderLoad` starts. */
export const storeForServices = (scope: Scope) => startTenantService(scope, { tenants: 1 });
