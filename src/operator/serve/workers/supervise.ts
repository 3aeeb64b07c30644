import cluster from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import { Log } from '../../../service/api/log.ts';
import { withMetrics } from '../../../service/optional-packages.ts';
import { Refused } from '../../../shared/record/faults.ts';
import type { ServeSettings } from '../../options/serve-settings.ts';
import { listenForMetrics } from '../listen.ts';
import { logOutput } from '../log-output.ts';
import { stopSignal } from '../stop-signal.ts';
import { WorkersPort } from './port.ts';
import { type Ended, WorkerSlot } from './worker-slot.ts';

/**
 * Runs this command in several processes, until it is told to stop and all have ended. This process accepts the connections and
 * hands them out in turn and collects the metrics. It has no store, and answers no request.
 */
export async function supervise(options: ServeSettings): Promise<void> {
  const { workers, tlsFiles } = options;
  const output = logOutput({ shared: true });
  const log = new Log({ level: options.logLevel, destination: output });
  const stopping = new AbortController();
  const places = Array.from({ length: workers }, (_, index) => ({ number: index + 1, workers }));
  const slots = places.map(place => new WorkerSlot(place, log, stopping.signal));
  cluster.schedulingPolicy = cluster.SCHED_RR;
  void stopSignal({ hangup: tlsFiles === null }).then(() => {
    stopping.abort();
    endAtOnceWhenAskedAgain(slots);
  });
  // The workers read the files of TLS again.
  if (tlsFiles)
    process.on('SIGHUP', () => {
      for (const slot of slots) slot.hangUp();
    });
  const metrics = await serveMetrics(options, slots, log);
  const port = new WorkersPort();
  stopping.signal.addEventListener('abort', async () => {
    await wait(1000 * options.shutdownDelay);
    await port.close();
  });
  try {
    const [first, ...others] = slots as [WorkerSlot, ...WorkerSlot[]];
    // At first one alone: what refuses it is told once, and isn't tried again.
    const refused = await first.start();
    if (refused && !stopping.signal.aborted) return endAs(refused);
    if (!stopping.signal.aborted) for (const slot of others) void slot.start();
    const ended = await Promise.all(
      slots.map((slot, index) => slot.keepRunning(() => metrics?.restarted(index + 1))),
    );
    if (ended.some(end => end?.hasListened && end.exitCode !== 0)) process.exitCode = 1;
  } finally {
    metrics?.close();
    output.end();
  }
}

/** A second signal ends this process as it does any, and its workers, of which one may hang. */
function endAtOnceWhenAskedAgain(slots: readonly WorkerSlot[]): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      for (const slot of slots) slot.kill();
      process.kill(process.pid, signal);
    });
}

/** The worker has said why. */
function endAs({ exitCode, how }: Ended): void {
  if (exitCode === null) throw new Refused(`the first worker ended ${how} before it served`);
  process.exitCode = exitCode;
}

async function serveMetrics(
  { workers, metricsAddress }: ServeSettings,
  slots: readonly WorkerSlot[],
  log: Log,
) {
  if (!metricsAddress) return null;
  const { AllMetrics } = await withMetrics(() => import('./all-metrics.ts'));
  const { createMetricsServer } = await import('../../../service/server/metrics-server.ts');
  const metrics = new AllMetrics(workers);
  const server = createMetricsServer(() =>
    metrics.collect(slots.map(slot => slot.listening).filter(worker => worker !== null)),
  );
  await listenForMetrics(server, metricsAddress, log);
  return { restarted: (worker: number) => metrics.restarts.inc({ worker }), close: () => server.close() };
}
