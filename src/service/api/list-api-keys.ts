import type { WorkspaceId } from '../../shared/record/identifier.ts';
import { scopeText } from '../../shared/record/list-query.ts';
import type { Vendor } from '../../shared/record/vendor.ts';
import type { PageReader } from '../roster/pages/reader.ts';
import { type Answer, fillWithJson } from './answer.ts';
import type { Capacity } from './capacity.ts';
import { type clientAddressBehind, clientNetwork } from './client-address.ts';
import { ApiError } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { parseListQuery } from './parse-list-query.ts';
import type { rateLimits } from './rate-limit.ts';
import type { VersionSettings } from './record-version.ts';
import { renderPage } from './render-page.ts';
import type { ApiRequest, Authentication, Caller } from './request.ts';
import { type acceptedVersions, versionOf } from './versions.ts';

/** What it meets, in this order. */
interface Parts {
  readonly capacity: Capacity;
  readonly clientAddressOf: ReturnType<typeof clientAddressBehind>;
  readonly authentication: Authentication;
  readonly limits: ReturnType<typeof rateLimits>;
  readonly vendor: Vendor;
  readonly accepted: ReturnType<typeof acceptedVersions>;
  readonly defaultWorkspace?: WorkspaceId;
  readonly roster: PageReader;
  readonly metrics?: Metrics | undefined;
}

/** By its ID, which no stored record has, such a caller would miss the workspace's keys. */
const DEFAULT_WORKSPACE_SCOPE =
  'the caller has the scope of the default workspace, which cannot be one: make another admin key';

/** The handler of the list operation. It makes its checks in the order of docs/api.md#errors. */
export function listApiKeys(parts: Parts) {
  const { capacity, authentication, limits, vendor, accepted, defaultWorkspace, roster, metrics } = parts;
  const settings = { defaultWorkspace } as VersionSettings; // a version has what it needs
  const versionHeader = `${vendor}-version`;
  const organizationHeader = `${vendor}-organization-id`;
  const scopeHeader = `${vendor}-scope`;

  return async function handle(answer: Answer, request: ApiRequest): Promise<void> {
    capacity.refuseLate(request.connection);
    const caller = await callerOf(request);
    const { organizationId, scope } = caller;
    answer.caller = caller;
    answer.headers[organizationHeader] = organizationId;
    if (scope) answer.headers[scopeHeader] = scopeText(scope);
    // The IDs of a vendor's own callers need only be unique within an organization.
    const callerName = `${organizationId} ${caller.id}`;
    if (limits) Object.assign(answer.headers, limits.requests.count(callerName));

    const version = versionOf(versionHeader, request.header(versionHeader), accepted);
    const asked = parseListQuery(
      queryStringOf(request.url),
      version.needs && settings[version.needs.setting],
    );
    if (scope?.workspaceId && scope.workspaceId === defaultWorkspace)
      throw new Error(DEFAULT_WORKSPACE_SCOPE);
    const query = scope ? { ...asked, scope } : asked;
    const read = capacity.beginRead(callerName, organizationId, query.limit);
    if (read.turn) await read.turn;
    try {
      const readPage = () => roster.listApiKeys(organizationId, query);
      const page = await (metrics?.read('list_api_keys', readPage) ?? readPage());
      if (!page)
        throw new ApiError(400, `${query.cursor?.direction}_id: not an API key of this organization`);
      answer.items = page.count;
      fillWithJson(answer, renderPage(page, version, settings));
    } catch (error) {
      read.end();
      throw error;
    }
    answer.sent = unreadBytes => {
      const isRead = capacity.sent(callerName, unreadBytes);
      read.end();
      return isRead;
    };
  };

  /** Only failed authentications count for the address, so that a valid caller is served behind a shared address. */
  async function callerOf(request: ApiRequest): Promise<Caller> {
    const clientAddress = () => parts.clientAddressOf(request);
    try {
      return await authentication.authenticate(request, clientAddress);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        metrics?.failedAuthentications.inc();
        limits?.failures.count(clientNetwork(clientAddress()));
      }
      throw error;
    }
  }
}

function queryStringOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
