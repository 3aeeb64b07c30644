import type { ApiVersion } from '../roster/api-version.ts';
import { type DeclaredField, NO_FIELDS } from '../roster/declared-fields.ts';
import type { PageReader } from '../roster/roster.ts';
import type { Vendor } from '../roster/vendor.ts';
import { type Answer, fillWithJson, newAnswer } from './answer.ts';
import type { Authentication } from './authentication.ts';
import { clientAddressBehind } from './client-address.ts';
import { Compression } from './compression.ts';
import { type ConsoleFiles, consoleRoutes } from './console.ts';
import { ErrorLog } from './error-log.ts';
import { fillWithError } from './fill-with-error.ts';
import { alive, type ReadinessOptions, readiness } from './health.ts';
import { MAX_UNREAD_BYTES } from './limits.ts';
import { listApiKeys } from './list-api-keys.ts';
import { createLog, type Log, type LogSettings } from './log.ts';
import { measureRoster } from './measure-reads.ts';
import type { Metrics } from './metrics.ts';
import { Observer } from './observe.ts';
import { openApiDocument } from './openapi.ts';
import { Overload } from './overload.ts';
import { HEALTH_PATH, LIST_API_KEYS_PATH, OPENAPI_PATH, READINESS_PATH } from './paths.ts';
import type { TakeLease } from './rate-limit/leased-counts.ts';
import type { ApiRequest } from './request.ts';
import { RequestLines } from './request-lines.ts';
import { requireWellFormed } from './require-well-formed.ts';
import { routeOf } from './route.ts';
import { UnreadAnswers } from './unread-answers.ts';
import { WorkUnderWay } from './work-under-way.ts';

/** The API: it turns a request into an answer, and knows neither servers nor sockets. */
export interface Api {
  /** Never rejects. Send the answer, call its `sent`, and then `answered`. */
  answer(request: ApiRequest): Promise<Answer>;
  /** Call when all of an answer was sent, or its client has left: logs and measures the request. */
  answered(request: ApiRequest, answer: Answer, wasSent: boolean): void;
  /** From now on the service isn't ready. Resolves when every request so far has its answer. */
  stop(): Promise<void>;
  isStopping(): boolean;
  readonly log: Log;
  readonly observer: Observer;
}

export interface ApiOptions extends ReadinessOptions {
  readonly roster: PageReader;
  readonly authentication: Authentication;
  readonly vendor: Vendor;
  /** The declared fields that records have now; absent: none. */
  readonly listFields?: () => Promise<readonly DeclaredField[]>;
  /** Absent: nothing is logged. */
  readonly log?: LogSettings | undefined;
  readonly metrics?: Metrics | undefined;
  /** The built web console; absent or `null`: it isn't served. */
  readonly console?: ConsoleFiles | null;
  /** Requests per minute for each caller; 0: no rate limits at all. */
  readonly rateLimit?: number;
  /** Where several processes share the rate limits; absent: this one counts by itself. */
  readonly takeLease?: TakeLease | undefined;
  /** Memory for pages that clients haven't read yet. */
  readonly maxUnreadBytes?: number;
  /** More versions of the API that are accepted. */
  readonly versions?: readonly ApiVersion[];
  /** Addresses or networks whose `x-forwarded-for` is trusted. */
  readonly trustedProxies?: readonly string[];
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
  const log = createLog(options.log);
  const errors = new ErrorLog(log);
  const observer = new Observer(new RequestLines(log, options.log), metrics);
  const overload = new Overload();
  const work = new WorkUnderWay();
  let stopping = false;
  const isStopping = () => stopping;
  const routes = routesOf(options, { log, overload, isStopping });
  return {
    async answer(request) {
      const answer = newAnswer();
      work.begin();
      try {
        requireWellFormed(request);
        const route = routeOf(request, routes, basePath);
        answer.route = route;
        await routes.get(route)?.(answer, request);
        if (compression?.concerns(answer)) await compression.apply(answer, request);
      } catch (error) {
        fillWithError(answer, error, errors);
      }
      work.end();
      return answer;
    },
    answered(request, answer, wasSent) {
      overload.answered(request.connection);
      observer.answered(answer, request.method, authentication, wasSent);
    },
    stop() {
      stopping = true;
      return work.ended();
    },
    isStopping,
    log,
    observer,
  };
}

function routesOf(
  options: ApiOptions,
  { log, overload, isStopping }: { log: Log; overload: Overload; isStopping: () => boolean },
): Map<string, Handler> {
  const { authentication, vendor, metrics, basePath = '' } = options;
  const { rateLimit = 0, versions = [], trustedProxies = [] } = options;
  const unreadAnswers = new UnreadAnswers(options.maxUnreadBytes ?? MAX_UNREAD_BYTES);
  if (metrics) metrics.unreadBytes = () => unreadAnswers.bytes;
  const accepted = { authentication, versions, basePath };
  const openApi = JSON.stringify(openApiDocument(vendor, accepted));
  const { listFields = async () => NO_FIELDS } = options;
  const sendOpenApi = async (answer: Answer) => {
    const fields = await listFields();
    const document =
      fields.length === 0 ? openApi : JSON.stringify(openApiDocument(vendor, accepted, fields));
    fillWithJson(answer, document);
  };
  const list = listApiKeys({
    roster: metrics ? measureRoster(options.roster, metrics) : options.roster,
    authentication,
    vendor,
    overload,
    rateLimit,
    takeLease: options.takeLease,
    unreadAnswers,
    versions,
    clientAddressOf: clientAddressBehind(trustedProxies),
    metrics,
  });
  return new Map<string, Handler>([
    [LIST_API_KEYS_PATH, list],
    [OPENAPI_PATH, sendOpenApi],
    [HEALTH_PATH, alive],
    [READINESS_PATH, readiness(options, isStopping, log)],
    ...(options.console ? consoleRoutes(options.console, vendor) : []),
  ]);
}
