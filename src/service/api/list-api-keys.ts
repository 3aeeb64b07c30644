import type { OrganizationId } from '../../shared/record/identifier.ts';
import type { Vendor } from '../../shared/record/vendor.ts';
import type { ApiVersion } from '../roster/api-version.ts';
import type { Listing } from '../roster/roster.ts';
import { type Answer, fillWithJson } from './answer.ts';
import type { Capacity, PageBeingRead } from './capacity.ts';
import { clientAddressBehind, clientNetwork } from './client-address.ts';
import { ApiError } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { parseListQuery } from './parse-list-query.ts';
import { type CountsOf, rateLimits } from './rate-limit.ts';
import { acceptedVersions, rendererOf, renderPage } from './render-page.ts';
import type { ApiRequest, Authentication, Caller } from './request.ts';

export interface ListApiKeysOptions {
  readonly authentication: Authentication;
  readonly vendor: Vendor;
  readonly metrics?: Metrics | undefined;
  /** Requests per minute for each caller; 0: no rate limits at all. */
  readonly rateLimit?: number;
  /** Where several processes share the rate limits; absent: this one counts by itself. */
  readonly countsOf?: CountsOf | undefined;
  /** More versions of the API that are accepted. */
  readonly versions?: readonly ApiVersion[];
  /** Addresses or networks whose `x-forwarded-for` is trusted. */
  readonly trustedProxies?: readonly string[];
}

/** The handler of the list operation. It makes its checks in the order of docs/api.md#errors. */
export function listApiKeys(options: ListApiKeysOptions, capacity: Capacity) {
  const { authentication, vendor, metrics, rateLimit = 0 } = options;
  const limits = rateLimits(rateLimit, authentication.rateLimit, options.countsOf);
  const clientAddressOf = clientAddressBehind(options.trustedProxies ?? []);
  const versionHeader = `${vendor}-version`;
  const versions = acceptedVersions(options.versions ?? []);
  const organizationHeader = `${vendor}-organization-id`;

  return async function handle(answer: Answer, request: ApiRequest): Promise<void> {
    capacity.refuseLate(request.connection);
    const clientAddress = () => clientAddressOf(request);
    const admitted = { by: '', cursor: '', render: renderPage, read: null as PageBeingRead | null };

    const admit = (caller: Caller): Listing | Promise<Listing> => {
      const { organizationId } = caller;
      answer.caller = caller;
      answer.headers[organizationHeader] = organizationId;
      // The IDs of a vendor's own callers need only be unique within an organization.
      admitted.by = `${organizationId}/${caller.id}`;
      const counted = limits?.requests.count(admitted.by);
      return counted instanceof Promise
        ? counted.then(later => beginRead(organizationId, later))
        : beginRead(organizationId, counted);
    };
    const beginRead = (organizationId: OrganizationId, quota: object | undefined) => {
      Object.assign(answer.headers, quota);
      admitted.render = rendererOf(versionHeader, request.header(versionHeader), versions);
      const query = parseListQuery(queryStringOf(request.url));
      admitted.cursor = String(query.cursor?.direction);
      admitted.read?.end(); // of a store that reads again
      const read = capacity.beginRead(admitted.by, organizationId, query.limit);
      admitted.read = read;
      const listing = { organizationId, query };
      return read.turn ? read.turn.then(() => listing) : listing;
    };

    try {
      const page = await authentication.listAs(request, clientAddress, admit);
      if (!page) throw new ApiError(400, `${admitted.cursor}_id: not an API key of this organization`);
      answer.items = page.count;
      fillWithJson(answer, admitted.render(page));
    } catch (error) {
      admitted.read?.end();
      if (error instanceof ApiError && error.status === 401) await countFailure(clientAddress());
      throw error;
    }
    answer.sent = unreadBytes => {
      const isRead = capacity.sent(admitted.by, unreadBytes);
      admitted.read?.end();
      return isRead;
    };
  };

  /** Only failed authentications count for the address, so that a valid caller is served behind a shared address. */
  async function countFailure(clientAddress: string | undefined): Promise<void> {
    metrics?.failedAuthentications.inc();
    await limits?.failures.count(clientNetwork(clientAddress));
  }
}

function queryStringOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
