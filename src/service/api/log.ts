import { hostname } from 'node:os';
import { scopeText } from '../../shared/record/list-query.ts';
import { containsAdminKey, redactAdminKeys } from '../../shared/record/redact-admin-keys.ts';
import type { LogLevel } from '../serving-settings.ts';
import type { Answer } from './answer.ts';
import { loggedError } from './logged-error.ts';
import type { Metrics } from './metrics.ts';
import { type Authentication, HEALTH_PATH, READINESS_PATH } from './request.ts';

/** Where log lines are written (one JSON object per line), and the lowest level. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly destination: { write(line: string): void };
}

/** In every line. */
const PROCESS = JSON.stringify({ pid: process.pid, hostname: hostname() }).slice(1, -1);

/** As in pino. Nothing is logged as `silent`. */
const NUMBERS: Record<LogLevel, number> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: 70,
};

/** Lines as those of pino, which many tools read. Without settings nothing is logged. */
export class Log {
  readonly debug = this.#at('debug');
  readonly info = this.#at('info');
  readonly warn = this.#at('warn');
  readonly error = this.#at('error');
  readonly #destination: LogSettings['destination'] | undefined;
  readonly #level: number;

  constructor({ level = 'silent', destination }: Partial<LogSettings> = {}) {
    this.#destination = destination;
    this.#level = NUMBERS[level];
  }

  isEnabled(level: LogLevel): boolean {
    return NUMBERS[level] >= this.#level;
  }

  #at(level: LogLevel) {
    return (message: string, fields: object = {}) =>
      this.write(level, rendered(fields).slice(1, -1), message);
  }

  /**
   * A line whose fields are rendered already. Redacts admin keys: nothing should log one, and this is the second line of defense. A
   * line that can't be written is lost: no request fails for it.
   */
  write(level: LogLevel, fields: string, message: string): void {
    if (!this.isEnabled(level)) return;
    const begin = `{"level":${NUMBERS[level]},"time":${Date.now()},${PROCESS},`;
    const line = `${begin}${fields}${fields && ','}"msg":${JSON.stringify(message)}}\n`;
    try {
      this.#destination?.write(containsAdminKey(line) ? line.replace(JSON_TEXT, redacted) : line);
    } catch {}
  }
}

/** What another's code has thrown may be anything. */
function rendered(fields: object): string {
  const render = (shown: (value: unknown) => unknown) =>
    JSON.stringify(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(value)])));
  try {
    return render(value => (value instanceof Error ? loggedError(value) : value));
  } catch {
    return render(value => (typeof value === 'string' ? value : loggedError(value)));
  }
}

/** In a line, names of fields too. */
const JSON_TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** Rendered anew: what is before a key may be an escaped character, which ends in a letter as a key may begin. */
function redacted(text: string): string {
  return JSON.stringify(redactAdminKeys(JSON.parse(text)));
}

/** As nginx has it: the connection was closed before the answer was complete. It is never sent. */
const CLIENT_LEFT = 499;

/** Those of RFC 9110, and PATCH. Of others nothing is told: over HTTP/2 and in a `Request` they may be any text. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(
  'CONNECT DELETE GET HEAD OPTIONS PATCH POST PUT TRACE'.split(' '),
);

/** From this status on a request has failed. */
const FAILED = 400;

/** What a supervisor and a load balancer ask every few seconds. An answer that is good tells nothing. */
const PROBES: readonly (string | null)[] = [HEALTH_PATH, READINESS_PATH];

/** Measures each request, and logs a line of it, without the URL, as its query may contain a secret that was sent by mistake. */
export class Observer {
  readonly #log: Log;
  readonly #metrics: Metrics | undefined;

  constructor(log: Log, metrics?: Metrics) {
    this.#log = log;
    this.#metrics = metrics;
  }

  /** Call once for each request, when all of its answer was sent or its client has left. */
  answered(
    { requestId, route, caller, items, status: answerStatus, startedAt }: Answer,
    sentMethod: string,
    { logField }: Pick<Authentication, 'logField'>,
    wasSent: boolean,
  ): void {
    const method = KNOWN_METHODS.has(sentMethod) ? sentMethod : 'other';
    const status = wasSent ? answerStatus : CLIENT_LEFT;
    const elapsed = performance.now() - startedAt;
    this.#metrics?.requests.observe({ method, route: route ?? '', status }, elapsed / 1000);
    const level = status < FAILED && PROBES.includes(route) ? 'debug' : 'info';
    if (!this.#log.isEnabled(level)) return;
    // Of the values only the caller's ID may have characters that JSON escapes.
    const whose = caller
      ? `,"organization_id":"${caller.organizationId}","${logField}":${JSON.stringify(caller.id)}`
      : '';
    const scope = caller?.scope ? `,"scope":"${scopeText(caller.scope)}"` : '';
    const rows = items === undefined ? '' : `,"rows":${items}`;
    const path = route === null ? 'null' : `"${route}"`;
    const request = `,"method":"${method}","route":${path},"status":${status}`;
    const duration = `,"duration_ms":${Math.round(elapsed * 1000) / 1000}`;
    this.#log.write(
      level,
      `"request_id":"${requestId}"${whose}${scope}${rows}${request}${duration}`,
      'request',
    );
  }

  /** The same for a request that never reached the API: only its answer is known. */
  unparsed(requestId: string, status: number): void {
    this.#metrics?.requests.observe({ method: '', route: '', status }, 0);
    const request = `"request_id":"${requestId}","method":null,"route":null,"status":${status}`;
    this.#log.write('info', request, 'request');
  }
}
