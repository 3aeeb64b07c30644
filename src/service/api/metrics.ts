import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { StoreBusy } from '../roster/errors.ts';
import { LIST_API_KEYS_PATH } from './request.ts';

/** A page takes from tens of microseconds to a few milliseconds, and much longer with an overloaded or a remote store. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const READS = ['list_api_keys', 'find_admin_key'] as const;

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
  readonly droppedLogLines: Counter;
  /** How many bytes of pages clients haven't read yet. */
  unreadBytes = () => 0;

  /** `requestsName`: the name of the histogram of requests; the usual one belongs to the service of the whole process. */
  constructor(registry: Registry, requestsName = 'http_request_duration_seconds') {
    this.registry = registry;
    const metric = <Label extends string>(name: string, help: string, ...labelNames: Label[]) => {
      this.#names.push(name);
      return { name, help, labelNames, registers: [registry] };
    };
    const timeOfRequests =
      'Time from the first byte of a request to the last of its answer; the status is 499 where the client left.';
    this.requests = new Histogram({
      ...metric(requestsName, timeOfRequests, 'method', 'route', 'status'),
      buckets,
    });
    const timeOfReads = 'Time of one read of the store, with the wait for its turn.';
    this.storeReads = new Histogram({
      ...metric('keyroster_store_read_duration_seconds', timeOfReads, 'read'),
      buckets,
    });
    this.storeFailures = new Counter(
      metric('keyroster_store_read_failures_total', 'Reads of the store that failed.', 'read'),
    );
    this.failedAuthentications = new Counter(
      metric('keyroster_failed_authentications_total', 'Requests whose caller is not known.'),
    );
    this.refusedConnections = new Counter(
      metric(
        'keyroster_refused_connections_total',
        'Connections closed at once because there were too many.',
      ),
    );
    this.failedHandshakes = new Counter(
      metric(
        'keyroster_failed_tls_handshakes_total',
        'Connections closed because their TLS handshake failed or took too long.',
      ),
    );
    this.droppedLogLines = new Counter(
      metric('keyroster_log_lines_dropped_total', 'Log lines dropped because too many were waiting.'),
    );
    const unread: Gauge = new Gauge({
      ...metric('keyroster_unread_answer_bytes', 'Bytes of pages that clients have not read yet.'),
      collect: () => unread.set(this.unreadBytes()),
    });
    this.#beginWithZero();
  }

  /** A series that begins with its first event can't show that event as an increase. */
  #beginWithZero(): void {
    for (const status of [200, 400, 401, 429, 499, 500, 503])
      this.requests.zero({ method: 'GET', route: LIST_API_KEYS_PATH, status });
    for (const read of READS) {
      this.storeReads.zero({ read });
      this.storeFailures.inc({ read }, 0);
    }
  }

  /** Takes them out of the registry again. */
  remove(): void {
    for (const name of this.#names) this.registry.removeSingleMetric(name);
  }

  /** Measures a read of the store where it is called. A reader that measured itself could lack what the one within has. */
  async read<T>(read: (typeof READS)[number], run: () => Promise<T>): Promise<T> {
    const stopTimer = this.storeReads.startTimer({ read });
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StoreBusy)) this.storeFailures.inc({ read });
      throw error;
    } finally {
      stopTimer();
    }
  }
}
