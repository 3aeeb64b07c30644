import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Vendor } from '../roster/admin-key.ts';
import type { RosterReader } from '../roster/roster.ts';
import { sendJson } from './answer.ts';
import { rendererOf } from './api-version.ts';
import { authenticate } from './authenticate.ts';
import { ApiError } from './errors.ts';
import { parseListQuery } from './parse-list-query.ts';

/** The operation, in the order of the contract's checks: who asks, in which version, for what. */
export function listApiKeys(roster: RosterReader, vendor: Vendor) {
  const versionHeader = `${vendor}-version`;
  const organizationHeader = `${vendor}-organization-id`;

  return async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { headers, url = '' } = request.raw;
    const caller = await authenticate(roster, headers['x-api-key']);
    reply.header(organizationHeader, caller.organizationId);
    reply.log = request.log.child({ organization_id: caller.organizationId, admin_key_id: caller.id });

    const render = rendererOf(versionHeader, headers[versionHeader]);
    const query = parseListQuery(queryStringOf(url));
    const page = await roster.listApiKeys(caller.organizationId, query);
    if (!page) throw new ApiError(400, `${query.cursor?.direction}_id: not an API key of this organization`);
    return sendJson(reply, render(page));
  };
}

function queryStringOf(url: string): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : url.slice(mark + 1);
}
