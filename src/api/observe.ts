import type { Answer } from './answer.ts';
import type { Authentication } from './authentication.ts';
import type { Metrics } from './metrics.ts';
import type { RequestLines } from './request-lines.ts';

/** As nginx has it: the connection was closed before the answer was complete. It is never sent. */
export const CLIENT_LEFT = 499;

/** Of other methods nothing is told: over HTTP/2 and in a `Request` they may be any text. */
const METHODS = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'QUERY',
]);

/** Logs one line per request, without the URL, as its query may contain a secret that was sent by mistake. */
export class Observer {
  readonly #lines: RequestLines;
  readonly #metrics: Metrics | undefined;

  constructor(lines: RequestLines, metrics: Metrics | undefined) {
    this.#lines = lines;
    this.#metrics = metrics;
  }

  /** Call once for each request, when all of its answer was sent or its client has left. */
  answered(
    { requestId, route, caller, items: rows, status: answerStatus, startedAt }: Answer,
    sentMethod: string,
    { logField }: Pick<Authentication, 'logField'>,
    wasSent: boolean,
  ): void {
    const method = METHODS.has(sentMethod) ? sentMethod : 'other';
    const status = wasSent ? answerStatus : CLIENT_LEFT;
    const elapsed = performance.now() - startedAt;
    this.#lines.add({
      requestId,
      organizationId: caller?.organizationId,
      caller: caller ? [logField, caller.id] : undefined,
      rows,
      method,
      route,
      status,
      durationMs: Math.round(elapsed * 1000) / 1000,
    });
    this.#metrics?.requests.observe({ method, route: route ?? '', status }, elapsed / 1000);
  }

  /** The same for a request that never reached the API: only its answer is known. */
  unparsed(requestId: string, status: number): void {
    this.#lines.add({ requestId, method: null, route: null, status });
    this.#metrics?.requests.observe({ method: '', route: '', status }, 0);
  }
}
