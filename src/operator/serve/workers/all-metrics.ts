import type { Worker } from 'node:cluster';
import { on } from 'node:events';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Registry } from 'prom-client';
import type { ToSupervisor, ToWorker, WorkerMetrics } from './messages.ts';

/** A worker that is so busy is left out: Prometheus waits 10 s. */
const MAX_ANSWER_MS = 2_000;

/** The metrics of all workers and of this process, the supervisor. Each series says in a label whose it is. */
export class AllMetrics {
  readonly #own = new Registry();
  readonly restarts: Counter<'worker'>;

  constructor(workers: number) {
    const registry = this.#own;
    registry.setDefaultLabels({ worker: 'supervisor' });
    collectDefaultMetrics({ register: registry });
    this.restarts = new Counter({
      name: 'keyroster_worker_restarts_total',
      help: 'Workers that were started because the one before had ended.',
      labelNames: ['worker'],
      registers: [registry],
    });
    for (let worker = 1; worker <= workers; worker++) this.restarts.inc({ worker }, 0);
  }

  async collect(workers: readonly Worker[]): Promise<Registry> {
    const own: Promise<WorkerMetrics> = this.#own.getMetricsAsJSON();
    const all = await Promise.all([own, ...workers.map(worker => this.#of(worker))]);
    // No two have the same labels, so nothing is added up. A message has `null` for what isn't a number.
    return AggregatorRegistry.aggregate(
      all.map(metrics =>
        metrics.map(metric => ({
          ...metric,
          aggregator: 'first',
          values: metric.values.map(each => ({ ...each, value: each.value ?? Number.NaN })),
        })),
      ),
    );
  }

  async #of(worker: Worker): Promise<WorkerMetrics> {
    const answers = on(worker, 'message', { signal: AbortSignal.timeout(MAX_ANSWER_MS) });
    worker.send({ type: 'measure' } satisfies ToWorker);
    try {
      for await (const [message] of answers as AsyncIterable<[ToSupervisor]>)
        if (message.type === 'measured') return message.metrics;
    } catch {}
    return [];
  }
}
