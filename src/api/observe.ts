import type { Answer } from './answer.ts';
import type { Authentication } from './authentication.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

/** As nginx has it: the connection was closed before the answer was complete. It is never sent. */
export const CLIENT_LEFT = 499;

/** Of other methods nothing is told: over HTTP/2 and in a `Request` they may be any text. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY'];

/** Logs one line per request, without the URL, as its query may contain a secret that was sent by mistake. */
export class Observer {
  readonly #log: Log;
  readonly #metrics: Metrics | undefined;

  constructor(log: Log, metrics: Metrics | undefined) {
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Call once for each request, when all of its answer was sent or its client has left. */
  answered(
    { requestId: request_id, route, caller, items, status: answerStatus, startedAt }: Answer,
    sentMethod: string,
    { logField }: Pick<Authentication, 'logField'>,
    wasSent: boolean,
  ): void {
    const method = METHODS.includes(sentMethod) ? sentMethod : 'other';
    const status = wasSent ? answerStatus : CLIENT_LEFT;
    const elapsed = performance.now() - startedAt;
    const callerFields = caller && {
      organization_id: caller.organizationId,
      [logField]: caller.id,
      rows: items,
    };
    const duration_ms = Math.round(elapsed * 1000) / 1000;
    this.#log.info({ request_id, ...callerFields, method, route, status, duration_ms }, 'request');
    this.#metrics?.requests.observe({ method, route: route ?? '', status }, elapsed / 1000);
  }

  /** The same for a request that never reached the API: only its answer is known. */
  unparsed(request_id: string, status: number): void {
    this.#log.info({ request_id, method: null, route: null, status }, 'request');
    this.#metrics?.requests.observe({ method: '', route: '', status }, 0);
  }
}
