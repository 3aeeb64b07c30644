import { type DeclaredField, NO_FIELDS } from '../roster/declared-fields.ts';
import { type Answer, fillWithJson, newAnswer } from './answer.ts';
import { Capacity } from './capacity.ts';
import { Compression } from './compression.ts';
import type { Console } from './console.ts';
import { ErrorLog } from './error-log.ts';
import { alive, type ReadinessOptions, readiness } from './health.ts';
import { MIN_BYTES_TO_COMPRESS } from './limits.ts';
import { type ListApiKeysOptions, listApiKeys } from './list-api-keys.ts';
import { Log, type LogSettings, Observer } from './log.ts';
import {
  type ApiRequest,
  HEALTH_PATH,
  LIST_API_KEYS_PATH,
  OPENAPI_PATH,
  READINESS_PATH,
  requireWellFormed,
  routeOf,
} from './request.ts';

/** The API: it turns a request into an answer, and knows neither servers nor sockets. */
export interface Api {
  /** Never rejects. Send the answer, call its `sent`, and then `answered`. */
  answer(request: ApiRequest): Promise<Answer>;
  /** Call when all of an answer was sent, or its client has left: logs and measures the request. */
  answered(request: ApiRequest, answer: Answer, wasSent: boolean): void;
  /** From now on `/readyz` says that the service is stopping. */
  unready(): void;
  /** From now on answers close their connection too. Resolves when every request so far has its answer. */
  stop(): Promise<void>;
  isStopping(): boolean;
  readonly log: Log;
  readonly observer: Observer;
}

export interface ApiOptions extends ListApiKeysOptions, ReadinessOptions {
  /** The declared fields that records have now; absent: none. */
  readonly listFields?: () => Promise<readonly DeclaredField[]>;
  /** Absent: nothing is logged. */
  readonly log?: LogSettings | undefined;
  /** The built web console; absent or `null`: it isn't served. */
  readonly console?: Console | null;
  /** Memory for pages that clients haven't read yet. */
  readonly maxUnreadBytes?: number;
  /** Whether large answers are compressed for clients that accept it. */
  readonly compression?: boolean;
  /** What comes before the paths of the API, such as `/api`. */
  readonly basePath?: string;
}

/** Fills in the answer, or throws. */
type Handler = (answer: Answer, request: ApiRequest) => void | Promise<void>;

export function createApi(options: ApiOptions): Api {
  const { authentication, metrics, basePath = '' } = options;
  const compression = options.compression === false ? null : new Compression();
  const log = new Log(options.log);
  const errors = new ErrorLog(log);
  const observer = new Observer(log, metrics);
  const capacity = new Capacity(options.maxUnreadBytes);
  if (metrics) metrics.unreadBytes = () => capacity.unreadBytes;
  let underWay = 0;
  let ready = true;
  let stopping = false;
  const idle: (() => void)[] = [];
  const routes = routesOf(
    options,
    capacity,
    readiness(options, () => ready, log),
  );
  return {
    async answer(request) {
      const answer = newAnswer();
      underWay += 1;
      try {
        requireWellFormed(request);
        const route = routeOf(request, routes, basePath);
        answer.route = route;
        await routes.get(route)?.(answer, request);
        if (answer.body.length >= MIN_BYTES_TO_COMPRESS) await compression?.apply(answer, request);
      } catch (error) {
        errors.fill(answer, error);
      }
      underWay -= 1;
      if (underWay === 0) for (const resolve of idle.splice(0)) resolve();
      return answer;
    },
    answered(request, answer, wasSent) {
      capacity.answered(request.connection);
      observer.answered(answer, request.method, authentication, wasSent);
    },
    unready() {
      ready = false;
    },
    stop() {
      ready = false;
      stopping = true;
      return underWay === 0 ? Promise.resolve() : new Promise(resolve => idle.push(resolve));
    },
    isStopping: () => stopping,
    log,
    observer,
  };
}

function routesOf(options: ApiOptions, capacity: Capacity, ready: Handler): Map<string, Handler> {
  const {
    authentication,
    vendor,
    versions = [],
    basePath = '',
    listFields = async () => NO_FIELDS,
  } = options;
  let withoutFields: string | undefined;
  const sendOpenApi = async (answer: Answer) => {
    const fields = await listFields();
    const { openApiDocument } = await import('./openapi.ts');
    const render = () =>
      JSON.stringify(openApiDocument(vendor, { authentication, versions, basePath }, fields));
    if (fields.length > 0) return fillWithJson(answer, render());
    withoutFields ??= render();
    fillWithJson(answer, withoutFields);
  };
  return new Map<string, Handler>([
    [LIST_API_KEYS_PATH, listApiKeys(options, capacity)],
    [OPENAPI_PATH, sendOpenApi],
    [HEALTH_PATH, alive],
    [READINESS_PATH, ready],
    ...(options.console?.routes(vendor) ?? []),
  ]);
}
