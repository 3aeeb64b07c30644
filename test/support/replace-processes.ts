/** Replaces the two processes of a service behind a balancer, one after the other, under load. */
import { startBalancer } from './balancer.ts';
import { freePort } from './free-port.ts';
import { load, statusesOf } from './load.ts';
import { listRequest } from './raw-corpus.ts';
import type { Scope } from './scope.ts';
import { startServiceProcess, type Tenant, type TenantService } from './service-process.ts';

export interface Replaced {
  readonly answered: number;
  /** 503: on a busy machine the service may shed load. A process that stops gives no page this answer. */
  readonly shed: number;
  /** Requests that had any other end: another status, a connection that was closed or refused. */
  readonly failed: number;
  /** What each stopped process ended with. */
  readonly exitCodes: readonly (number | null)[];
}

export async function replaceProcesses(
  scope: Scope,
  { store, tenants }: TenantService,
  {
    times,
    probeMs,
    shutdownDelay,
    rate,
  }: { times: number; probeMs: number; shutdownDelay: number; rate: number },
): Promise<Replaced> {
  const ports = [await freePort(), await freePort()];
  const start = (port: number) =>
    startServiceProcess(scope, store.url, {
      KEYROSTER_PORT: String(port),
      KEYROSTER_SHUTDOWN_DELAY: String(shutdownDelay),
    });
  const running = await Promise.all(ports.map(start));
  const balancer = await startBalancer(scope, ports, probeMs);
  await Promise.all(ports.map(balancer.sees));

  let done = () => {};
  const until = new Promise<void>(resolve => {
    done = resolve;
  });
  const common = { port: balancer.port, requests: [listRequest(tenants[0] as Tenant, 20)], seconds: 3600 };
  const loads = [
    load(scope, { ...common, connections: 8, rate: (2 / 3) * rate }, until),
    load(scope, { ...common, connections: 4, rate: rate / 3, requestsEach: 3 }, until),
  ];
  const exitCodes: (number | null)[] = [];
  for (let time = 0; time < times; time++)
    for (const [place, port] of ports.entries()) {
      running[place]?.signal('SIGTERM');
      exitCodes.push((await running[place]?.ended())?.exitCode ?? null);
      running[place] = await start(port);
      await balancer.sees(port);
    }
  done();
  const results = await Promise.all(loads);
  const statuses = statusesOf(results.flatMap(({ seconds }) => seconds));
  const { 200: answered = 0, 503: shed = 0, ...others } = statuses;
  const failed = [
    ...Object.values(others),
    ...results.flatMap(each => [each.unanswered, each.unansweredOnNew, each.refused, each.unfinished]),
  ];
  return { answered, shed, failed: failed.reduce((sum, count) => sum + count, 0), exitCodes };
}
