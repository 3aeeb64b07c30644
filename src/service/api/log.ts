import { METHODS } from 'node:http';
import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import { redactAdminKeys } from '../../shared/record/redact-admin-keys.ts';
import type { Answer } from './answer.ts';
import type { LogLevel } from './log-levels.ts';
import type { Metrics } from './metrics.ts';
import { type Authentication, HEALTH_PATH, READINESS_PATH } from './request.ts';

export type Log = Logger;

/** Where log lines are written (one JSON object per line), and the lowest level. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly destination: DestinationStream;
}

/** In every line. */
const PROCESS = { pid: process.pid, hostname: hostname() };

/** Without settings nothing is logged. */
export function createLog(settings: LogSettings | undefined): Log {
  if (!settings) return pino({ enabled: false });
  return pino({ level: settings.level, base: PROCESS }, redacting(settings.destination));
}

/**
 * Redacts admin keys in every log line. Nothing should log one; this is the second line of defense. A line that can't be written
 * is lost: no request fails for it.
 */
export function redacting(destination: DestinationStream): DestinationStream {
  return {
    write: line => {
      try {
        destination.write(redactAdminKeys(line));
      } catch {}
    },
  };
}

/** As nginx has it: the connection was closed before the answer was complete. It is never sent. */
const CLIENT_LEFT = 499;

/** Of other methods nothing is told: over HTTP/2 and in a `Request` they may be any text. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS);

/** From this status on a request has failed. */
const FAILED = 400;

/** What a supervisor and a load balancer ask every few seconds. An answer that is good tells nothing. */
const PROBES: readonly (string | null)[] = [HEALTH_PATH, READINESS_PATH];

const IN_EVERY_LINE = JSON.stringify(PROCESS).slice(1, -1);

/**
 * Measures each request, and logs a line of it, without the URL, as its query may contain a secret that was sent by mistake. The line
 * is as `pino` would render it, for which it takes a tenth of the time of a small page.
 */
export class Observer {
  readonly #destination: DestinationStream | null;
  readonly #begin: Readonly<Record<'info' | 'debug', string>>;
  readonly #hasDebug: boolean;
  readonly #metrics: Metrics | undefined;

  constructor(log: Log, settings: LogSettings | undefined, metrics?: Metrics) {
    const hasLines = settings && log.isLevelEnabled('info');
    this.#destination = hasLines ? redacting(settings.destination) : null;
    const begin = (level: 'info' | 'debug') => `{"level":${log.levels.values[level]},"time":`;
    this.#begin = { info: begin('info'), debug: begin('debug') };
    this.#hasDebug = log.isLevelEnabled('debug');
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
    if (level === 'debug' && !this.#hasDebug) return;
    // Of the values only the caller's ID may have characters that JSON escapes.
    const whose = caller
      ? `,"organization_id":"${caller.organizationId}","${logField}":${JSON.stringify(caller.id)}`
      : '';
    const rows = items === undefined ? '' : `,"rows":${items}`;
    const path = route === null ? 'null' : `"${route}"`;
    const request = `,"method":"${method}","route":${path},"status":${status}`;
    const duration = `,"duration_ms":${Math.round(elapsed * 1000) / 1000}`;
    this.#write(level, `"request_id":"${requestId}"${whose}${rows}${request}${duration}`);
  }

  /** The same for a request that never reached the API: only its answer is known. */
  unparsed(requestId: string, status: number): void {
    this.#metrics?.requests.observe({ method: '', route: '', status }, 0);
    this.#write('info', `"request_id":"${requestId}","method":null,"route":null,"status":${status}`);
  }

  #write(level: 'info' | 'debug', fields: string): void {
    this.#destination?.write(
      `${this.#begin[level]}${Date.now()},${IN_EVERY_LINE},${fields},"msg":"request"}\n`,
    );
  }
}
