/** `serve --workers 2` in child processes, over several tenants. */
import type { Scope } from './scope.ts';
import { startTenantService } from './service-process.ts';
import { until } from './until.ts';

export type WorkersService = Awaited<ReturnType<typeof startWorkers>>;
type Options = Parameters<typeof startTenantService>[1];

/** Waits until both workers serve. */
export async function startWorkers(scope: Scope, { env, ...options }: Options = {}) {
  const service = await startTenantService(scope, { ...options, env: { KEYROSTER_WORKERS: '2', ...env } });
  const all = () => [...service.log().matchAll(/"msg":"worker (\d+) serves, with PID (\d+)"/g)];
  const workers = {
    ...service,
    /** The PIDs of the workers that serve now, or did when they died, by their number. */
    pids: () => new Map(all().map(([, worker, pid]) => [Number(worker), Number(pid)])),
    /** How often a worker with this number has begun to serve. */
    served: (worker: number) => all().filter(([, number]) => Number(number) === worker).length,
  };
  await until('both workers serve', () => workers.pids().size === 2);
  return workers;
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
