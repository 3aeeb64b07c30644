/** What the supervisor and its workers send each other. Messages arrive in the order in which they were sent. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { LimitName, Taken } from '../../../api/rate-limit.ts';

export type ToWorker =
  /** Answer what is under way, and end. */
  | { readonly type: 'stop' }
  /** Of the leases of one message, in their order. */
  | { readonly type: 'leased'; readonly leases: readonly Taken[] }
  | { readonly type: 'measure'; readonly id: number };

export type ToSupervisor =
  | { readonly type: 'lease'; readonly wanted: readonly (readonly [limit: LimitName, caller: string])[] }
  | { readonly type: 'measured'; readonly id: number; readonly metrics: WorkerMetrics };

/** As `getMetricsAsJSON` of a registry gives them. */
export type WorkerMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];
