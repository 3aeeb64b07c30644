import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** A page takes from tens of microseconds to a few milliseconds, and much longer with an overloaded or a remote store. */
const BUCKETS_IN_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The Prometheus metrics of the service. No label has a value that a caller chooses, so the number of series is bounded. */
export class Metrics {
  readonly registry: Registry;
  readonly #names: string[] = [];
  /** Every request. `route` is empty when no route matched. */
  readonly requests: Histogram<'method' | 'route' | 'status'>;
  readonly storeReads: Histogram<'read'>;
  readonly storeFailures: Counter<'read'>;
  readonly failedAuthentications: Counter;
  readonly refusedConnections: Counter;
  readonly failedHandshakes: Counter;
  /** How many bytes of pages clients haven't read yet. */
  unreadBytes = () => 0;

  /** `requestsName`: the name of the histogram of requests; the usual one belongs to the service of the whole process. */
  constructor(registry: Registry, requestsName = 'http_request_duration_seconds') {
    this.registry = registry;
    const registers = [registry];
    const named = (name: string) => {
      this.#names.push(name);
      return name;
    };
    this.requests = new Histogram({
      name: named(requestsName),
      help: 'Time from the first byte of a request to the last of its answer; the status is 499 where the client left.',
      labelNames: ['method', 'route', 'status'],
      buckets: BUCKETS_IN_SECONDS,
      registers,
    });
    this.storeReads = new Histogram({
      name: named('keyroster_store_read_duration_seconds'),
      help: 'Time of one read of the store, with the wait for its turn.',
      labelNames: ['read'],
      buckets: BUCKETS_IN_SECONDS,
      registers,
    });
    this.storeFailures = new Counter({
      name: named('keyroster_store_read_failures_total'),
      help: 'Reads of the store that failed.',
      labelNames: ['read'],
      registers,
    });
    this.failedAuthentications = new Counter({
      name: named('keyroster_failed_authentications_total'),
      help: 'Requests whose caller is not known.',
      registers,
    });
    this.refusedConnections = new Counter({
      name: named('keyroster_refused_connections_total'),
      help: 'Connections closed at once because there were too many.',
      registers,
    });
    this.failedHandshakes = new Counter({
      name: named('keyroster_failed_tls_handshakes_total'),
      help: 'Connections closed because their TLS handshake failed or took too long.',
      registers,
    });
    const unread: Gauge = new Gauge({
      name: named('keyroster_unread_answer_bytes'),
      help: 'Bytes of pages that clients have not read yet.',
      registers,
      collect: () => unread.set(this.unreadBytes()),
    });
  }

  /** Takes them out of the registry again. */
  remove(): void {
    for (const name of this.#names) this.registry.removeSingleMetric(name);
  }
}
