import type { ApiVersion } from '../roster/api-version.ts';
import type { PageReader } from '../roster/roster.ts';
import type { Vendor } from '../roster/vendor.ts';
import { type Answer, fillWithJson } from './answer.ts';
import { acceptedVersions, rendererOf } from './api-version.ts';
import type { Authentication, Caller } from './authentication.ts';
import { clientNetwork } from './client-network.ts';
import { ApiError } from './errors.ts';
import type { Metrics } from './metrics.ts';
import type { Overload } from './overload.ts';
import { parseListQuery } from './parse-list-query.ts';
import type { TakeLease } from './rate-limit/leased-counts.ts';
import { rateLimits } from './rate-limit/rate-limit.ts';
import type { ApiRequest } from './request.ts';
import type { UnreadAnswers } from './unread-answers.ts';

interface ListApiKeysOptions {
  readonly roster: PageReader;
  readonly authentication: Authentication;
  readonly vendor: Vendor;
  readonly overload: Overload;
  /** Requests per minute for each caller; 0: no limit. */
  readonly rateLimit: number;
  readonly takeLease: TakeLease | undefined;
  readonly unreadAnswers: UnreadAnswers;
  readonly versions: readonly ApiVersion[];
  readonly clientAddressOf: (request: ApiRequest) => string | undefined;
  readonly metrics: Metrics | undefined;
}

/** The handler of the list operation. It makes its checks in the order of docs/api.md#errors. */
export function listApiKeys(options: ListApiKeysOptions) {
  const { roster, authentication, vendor, overload, unreadAnswers, clientAddressOf, metrics } = options;
  const limits = rateLimits(options.rateLimit, authentication.rateLimit, options.takeLease);
  const versionHeader = `${vendor}-version`;
  const versions = acceptedVersions(options.versions);
  const organizationHeader = `${vendor}-organization-id`;

  return async function handle(answer: Answer, request: ApiRequest): Promise<void> {
    overload.refuseBeyondCapacity(request.connection);
    const caller = await callerOf(request);
    const { organizationId } = caller;
    answer.caller = caller;
    answer.headers[organizationHeader] = organizationId;
    // The IDs of a vendor's own callers need only be unique within an organization.
    const callerName = `${organizationId}/${caller.id}`;
    if (limits) {
      const counted = limits.requests.count(callerName);
      Object.assign(answer.headers, counted instanceof Promise ? await counted : counted);
    }

    const render = rendererOf(versionHeader, request.header(versionHeader), versions);
    const query = parseListQuery(queryStringOf(request.url));
    const read = unreadAnswers.begin(callerName, organizationId, query.limit);
    if (read.turn) await read.turn;
    try {
      const page = await roster.listApiKeys(organizationId, query);
      if (!page)
        throw new ApiError(400, `${query.cursor?.direction}_id: not an API key of this organization`);
      answer.items = page.count;
      fillWithJson(answer, render(page));
    } catch (error) {
      read.end();
      throw error;
    }
    answer.sent = unreadBytes => {
      const isRead = unreadAnswers.sent(callerName, unreadBytes);
      read.end();
      return isRead;
    };
  };

  /** Only failed authentications count for the address, so that a valid caller is served behind a shared address. */
  async function callerOf(request: ApiRequest): Promise<Caller> {
    const clientAddress = () => clientAddressOf(request);
    try {
      return await authentication.authenticate(request, clientAddress);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        metrics?.failedAuthentications.inc();
        await limits?.failures.count(clientNetwork(clientAddress()));
      }
      throw error;
    }
  }
}

function queryStringOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
