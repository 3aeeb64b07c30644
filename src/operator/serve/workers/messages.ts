/** What the supervisor and its workers tell each other. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** Messages arrive in the order in which they were sent. */
export type ToWorker =
  /** Answer what is under way, and end. */
  | { readonly type: 'stop' }
  | { readonly type: 'measure' }
  /** Answer at once, to show that you don't hang. */
  | { readonly type: 'ping' };

export type ToSupervisor =
  | { readonly type: 'measured'; readonly metrics: WorkerMetrics }
  | { readonly type: 'pong' };

/** As `getMetricsAsJSON` of a registry gives them. */
export type WorkerMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Which of how many workers a process is, from 1. One that takes the place of a worker that has ended has its number. */
export interface Place {
  readonly number: number;
  readonly workers: number;
}

/** How the supervisor tells a worker its place. It is no setting. */
const VARIABLE = 'KEYROSTER_WORKER';

export function environmentOf({ number, workers }: Place): Record<string, string> {
  return { [VARIABLE]: `${number}/${workers}` };
}

/** `null`: this process isn't a worker. */
export function thisPlace(): Place | null {
  // Whoever sets the variable by hand doesn't make a worker: that has a supervisor to talk to.
  const [number, workers] = (process.connected && process.env[VARIABLE]?.split('/')) || [];
  return number === undefined ? null : { number: Number(number), workers: Number(workers) };
}
