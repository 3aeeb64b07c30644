import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** A page takes from tens of microseconds to a few milliseconds, and much longer with an overloaded or a remote store. */
const BUCKETS_IN_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The Prometheus metrics of the service. No label has a value that a caller chooses, so the number of series is bounded. */
export class Metrics {
  readonly registry = new Registry();
  /**
   * Every request. The `_count` of this histogram counts them by status, which is 499 where the client left. `route` is empty
   * when no route matched.
   */
  readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS_IN_SECONDS,
    registers: [this.registry],
  });
  readonly storeReads = new Histogram({
    name: 'keyroster_store_read_duration_seconds',
    help: 'Time of one read of the store, with the wait for its turn.',
    labelNames: ['read'],
    buckets: BUCKETS_IN_SECONDS,
    registers: [this.registry],
  });
  readonly storeFailures = new Counter({
    name: 'keyroster_store_read_failures_total',
    help: 'Reads of the store that failed.',
    labelNames: ['read'],
    registers: [this.registry],
  });
  readonly failedAuthentications = new Counter({
    name: 'keyroster_failed_authentications_total',
    help: 'Requests without a valid admin key.',
    registers: [this.registry],
  });
  readonly refusedConnections = new Counter({
    name: 'keyroster_refused_connections_total',
    help: 'Connections closed at once because there were too many.',
    registers: [this.registry],
  });
  readonly failedHandshakes = new Counter({
    name: 'keyroster_failed_tls_handshakes_total',
    help: 'Connections closed because their TLS handshake failed or took too long.',
    registers: [this.registry],
  });
  /** How many bytes of pages clients haven't read yet. */
  unreadBytes = () => 0;

  constructor() {
    const unread: Gauge = new Gauge({
      name: 'keyroster_unread_answer_bytes',
      help: 'Bytes of pages that clients have not read yet.',
      registers: [this.registry],
      collect: () => unread.set(this.unreadBytes()),
    });
    collectDefaultMetrics({ register: this.registry });
  }

  /** Metrics have a server of their own, so that callers of the API can't read them. */
  createServer(): Server {
    return createServer(async (request, response) => {
      if (request.method !== 'GET' || request.url !== '/metrics') {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('metrics are at /metrics\n');
        return;
      }
      const text = await this.registry.metrics();
      response.writeHead(200, { 'content-type': this.registry.contentType }).end(text);
    });
  }
}
