import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AdminKey } from '../roster/admin-key.ts';
import type { ApiVersion } from '../roster/api-version.ts';
import type { Duration } from '../roster/duration.ts';
import type { StoreReader } from '../roster/roster.ts';
import type { Vendor } from '../roster/vendor.ts';
import { xApiKey, xApiKeyOrBearer } from './admin-key-header.ts';
import { sendJson } from './answer.ts';
import { acceptedVersions, rendererOf } from './api-version.ts';
import { authenticate } from './authenticate.ts';
import { clientNetwork } from './client-network.ts';
import { ApiError } from './errors.ts';
import type { Metrics } from './metrics.ts';
import type { LogDetails } from './observe-request.ts';
import type { Overload } from './overload.ts';
import { parseListQuery } from './parse-list-query.ts';
import type { RateLimits } from './rate-limit.ts';
import type { UnreadAnswers } from './unread-answers.ts';

interface ListApiKeysOptions {
  readonly roster: StoreReader;
  readonly vendor: Vendor;
  readonly overload: Overload;
  readonly rateLimits: RateLimits | null;
  readonly unreadAnswers: UnreadAnswers;
  readonly maxAdminKeyAge: Duration | null;
  readonly bearer: boolean;
  readonly versions: readonly ApiVersion[];
  readonly metrics?: Metrics | undefined;
}

/** The handler of the list operation. It makes its checks in the order of docs/api.md#errors. */
export function listApiKeys(options: ListApiKeysOptions) {
  const { roster, vendor, overload, rateLimits, maxAdminKeyAge, unreadAnswers, metrics } = options;
  const adminKeyHeader = options.bearer ? xApiKeyOrBearer : xApiKey;
  const versionHeader = `${vendor}-version`;
  const versions = acceptedVersions(options.versions);
  const organizationHeader = `${vendor}-organization-id`;

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { headers, url = '' } = request.raw;
    overload.refuseBeyondCapacity(request.raw.socket);
    const caller = await callerOf(request);
    reply.header(organizationHeader, caller.organizationId);
    const details: LogDetails = { caller };
    request.logDetails = details;
    if (rateLimits) reply.headers(rateLimits.requests.count(caller.id));

    const render = rendererOf(versionHeader, headers[versionHeader], versions);
    const query = parseListQuery(queryStringOf(url));
    const { id, organizationId } = caller;
    const turn = unreadAnswers.begin(id, query.limit);
    if (turn) await turn;
    try {
      const page = await roster.listApiKeys(organizationId, query);
      if (!page)
        throw new ApiError(400, `${query.cursor?.direction}_id: not an API key of this organization`);
      details.rows = page.items.length;
      sendJson(reply, render(page));
      unreadAnswers.sent(id, reply.raw);
    } finally {
      unreadAnswers.end(query.limit);
    }
    return reply;
  };

  /** Only failed authentications count for the address, so that a valid key works behind a shared address. */
  async function callerOf(request: FastifyRequest): Promise<AdminKey> {
    try {
      return await authenticate(roster, request, adminKeyHeader, maxAdminKeyAge);
    } catch (error) {
      if (error instanceof ApiError) {
        metrics?.failedAuthentications.inc();
        rateLimits?.failures.count(clientNetwork(request.ip));
      }
      throw error;
    }
  }
}

function queryStringOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
