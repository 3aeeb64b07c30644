import type { Vendor } from '../../shared/record/vendor.ts';
import { NO_FIELDS } from '../roster/declared-fields.ts';
import type { PageReader, StoreReader } from '../roster/pages/reader.ts';
import type { Some } from '../serving-settings.ts';
import { type Answer, bodyLength, fillWithJson, newAnswer } from './answer.ts';
import { Capacity } from './capacity.ts';
import { clientAddressBehind } from './client-address.ts';
import { Compression } from './compression.ts';
import type { Console } from './console.ts';
import { ErrorLog } from './error-log.ts';
import { alive, readiness } from './health.ts';
import { MIN_BYTES_TO_COMPRESS } from './limits.ts';
import { listApiKeys } from './list-api-keys.ts';
import { Log, type LogSettings, Observer } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Accepted } from './openapi.ts';
import { rateLimits } from './rate-limit.ts';
import {
  type ApiRequest,
  type Authentication,
  HEALTH_PATH,
  LIST_API_KEYS_PATH,
  OPENAPI_PATH,
  READINESS_PATH,
  requireWellFormed,
  routeOf,
} from './request.ts';
import { acceptedVersions } from './versions.ts';

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

/** Some settings, and what differs from one service to another. */
export interface ApiOptions
  extends Some<'vendor' | 'rateLimit' | 'versions' | 'defaultWorkspace' | 'trustedProxies'> {
  readonly vendor: Vendor;
  /** Of a store of ours, or another's pages alone. */
  readonly roster: PageReader & Partial<StoreReader>;
  readonly authentication: Authentication;
  readonly metrics?: Metrics | undefined;
  readonly log?: LogSettings | undefined;
  /** What is absent isn't: the log, metrics, the built web console. */
  readonly console?: Console | null;
  /** Memory for pages that clients haven't read yet. */
  readonly maxUnreadBytes?: number;
  readonly compression?: boolean;
  readonly basePath?: string;
}

/** Fills in the answer, or throws. */
type Handler = (answer: Answer, request: ApiRequest) => void | Promise<void>;

/** All parts of the API, in the order in which a request meets them. Only the server around it isn't here. */
export function createApi(options: ApiOptions): Api {
  const { roster, authentication, vendor, versions = [], metrics, basePath = '' } = options;
  const log = new Log(options.log);
  const capacity = new Capacity(options.maxUnreadBytes);
  if (metrics) metrics.unreadBytes = () => capacity.unreadBytes;
  const clientAddressOf = clientAddressBehind(options.trustedProxies ?? []);
  const limits = rateLimits(options.rateLimit ?? 0, authentication.rateLimit);
  const accepted = acceptedVersions(versions);
  const routes = new Map<string, Handler>([
    [LIST_API_KEYS_PATH, listApiKeys({ ...options, capacity, clientAddressOf, limits, accepted })],
    [OPENAPI_PATH, openApi(vendor, { authentication, versions, basePath }, roster)],
    [HEALTH_PATH, alive],
    [READINESS_PATH, readiness(roster, () => ready, log)],
    ...(options.console?.routes(vendor) ?? []),
  ]);
  const compression = options.compression === false ? null : new Compression();
  const errors = new ErrorLog(log);
  const observer = new Observer(log, metrics);
  let underWay = 0;
  let ready = true;
  let stopping = false;
  const idle: (() => void)[] = [];
  return {
    async answer(request) {
      const answer = newAnswer();
      underWay += 1;
      try {
        requireWellFormed(request);
        const route = routeOf(request, routes, basePath);
        answer.route = route;
        await routes.get(route)?.(answer, request);
        if (bodyLength(answer.body) >= MIN_BYTES_TO_COMPRESS) await compression?.apply(answer, request);
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

function openApi(vendor: Vendor, accepted: Accepted, roster: Partial<StoreReader>): Handler {
  let withoutFields: string | undefined;
  return async answer => {
    const fields = (await roster.listFields?.()) ?? NO_FIELDS;
    const { openApiDocument } = await import('./openapi.ts');
    const render = () => JSON.stringify(openApiDocument(vendor, accepted, fields));
    if (fields.length > 0) return fillWithJson(answer, render());
    withoutFields ??= render();
    fillWithJson(answer, withoutFields);
  };
}
