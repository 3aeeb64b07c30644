import { ACTOR_RULE, parseActor } from '../roster/actor.ts';
import { ID_RULE, type OrganizationId, parseId } from '../roster/identifier.ts';
import type { Authenticate, AuthenticatedCaller, SecurityScheme } from './authenticate.ts';
import type { Authentication, Caller } from './authentication.ts';
import { ApiError, AuthenticationFailed } from './errors.ts';
import type { ApiRequest } from './request.ts';
import { within } from './within.ts';
import { credentialsIn, withoutCredentials } from './without-credentials.ts';

/** A caller that waits longer gets a 503. */
const MAX_AUTHENTICATION_MS = 10_000;

/** Callers are known by what the vendor has: sessions, JSON Web Tokens, mutual TLS. */
export function ownAuthentication(authenticate: Authenticate, scheme: SecurityScheme): Authentication {
  const challenge = scheme.type === 'http' ? scheme.scheme : null;
  const message = `${requirementOf(scheme)} is required`;
  return {
    async authenticate(request, clientAddress) {
      const caller = await callerOf(authenticate, request, clientAddress(), headersWithCredentials(scheme));
      if (!caller) throw new ApiError(401, message, challenge ? { 'www-authenticate': challenge } : {});
      return caller;
    },
    securitySchemes: { caller: scheme },
    challenge,
    logField: 'caller_id',
    rateLimit: { name: 'caller', counted: 'requests of this caller' },
  };
}

/** The beginning of the message of a 401: which header, and what is to be in it. */
function requirementOf(scheme: SecurityScheme): string {
  if (scheme.type === 'http') return `authorization: a valid credential of the scheme ${scheme.scheme}`;
  const header = scheme.in === 'header' ? scheme.name.toLowerCase() : `cookie ${scheme.name}`;
  return `${header}: a valid credential`;
}

async function callerOf(
  authenticate: Authenticate,
  request: ApiRequest,
  clientAddress: string | undefined,
  secretHeaders: readonly string[],
): Promise<Caller | null> {
  const { method, url, original } = request;
  const call = async () => {
    const answer = await authenticate({ method, url, headers: request.headers(), clientAddress, original });
    return answer ? { organizationId: answer.organizationId, callerId: answer.callerId } : null;
  };
  let caller: AuthenticatedCaller | null;
  try {
    caller = await within(
      MAX_AUTHENTICATION_MS,
      call,
      () => new Error(`it took more than ${MAX_AUTHENTICATION_MS} ms`),
    );
  } catch (error) {
    const credentials = credentialsIn(request.headers(), secretHeaders);
    throw new AuthenticationFailed(withoutCredentials(error, credentials));
  }
  return caller && checked(caller);
}

function headersWithCredentials(scheme: SecurityScheme): string[] {
  const own = scheme.type === 'apiKey' && scheme.in === 'header' ? [scheme.name] : [];
  return ['authorization', 'cookie', 'x-api-key', ...own];
}

/** A wrong answer is a fault of the vendor's code. Nothing is listed, as it could be another organization's. */
function checked({ organizationId, callerId }: AuthenticatedCaller): Caller {
  const organization = parseId<OrganizationId>(organizationId);
  const id = parseActor(callerId);
  if (organization === undefined) throw new TypeError(`authenticate: organizationId ${ID_RULE}`);
  if (id === undefined) throw new TypeError(`authenticate: callerId ${ACTOR_RULE}`);
  return { organizationId: organization, id };
}
