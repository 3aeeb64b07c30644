/** What the supervisor and its workers send each other. Messages arrive in the order in which they were sent. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Taken } from '../../../api/rate-limit/caller-counts.ts';
import type { LimitName } from '../../../api/rate-limit/quotas.ts';

export type ToWorker =
  /** Answer what is under way, and end. */
  | { readonly type: 'stop' }
  /** Leases are answered in the order in which they were asked for. */
  | { readonly type: 'leased'; readonly lease: Taken }
  | { readonly type: 'measure' };

export type ToSupervisor =
  | { readonly type: 'lease'; readonly limit: LimitName; readonly caller: string }
  | { readonly type: 'measured'; readonly metrics: WorkerMetrics };

/** As `getMetricsAsJSON` of a registry gives them. */
export type WorkerMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];
