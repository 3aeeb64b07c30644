import { isObject, printableName } from '../../shared/record/fields.ts';
import { type OrganizationId, OWNER_ID_RULE, parseOwnerId } from '../../shared/record/identifier.ts';
import type { Scope } from '../../shared/record/list-query.ts';
import { ApiError, unavailable } from '../api/errors.ts';
import { placeOfError } from '../api/foreign-errors.ts';
import type { ApiRequest, Authentication, Caller } from '../api/request.ts';
import { ACTOR_RULE, parseActor } from '../roster/actor.ts';
import { within } from '../with-timeout.ts';
import {
  type Authenticate,
  type AuthenticatedCaller,
  AuthenticationUnavailable,
  copyOf,
  type FoundCaller,
  MAX_AUTHENTICATION_MS,
  type SecurityScheme,
  unavailableBecause,
} from './authenticate.ts';

/** Callers are known by what the vendor has: sessions, JSON Web Tokens, mutual TLS. */
export function ownAuthentication(authenticate: Authenticate, scheme: SecurityScheme): Authentication {
  const challenge = scheme.type === 'http' ? scheme.scheme : null;
  const message = `${requirementOf(scheme)} is required`;
  const refusal = () => new ApiError(401, message, challenge ? { 'www-authenticate': challenge } : {});
  return {
    async authenticate(request, clientAddress) {
      let answer: FoundCaller;
      try {
        answer = await answerOf(authenticate, request, clientAddress());
      } catch (error) {
        const isAway = error instanceof AuthenticationUnavailable;
        const answered = isAway ? unavailable('callers cannot be authenticated') : refusal();
        answered.thrown = () => placeOfError(error);
        throw answered;
      }
      if (!answer) throw refusal();
      return checked(answer);
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

/** A copy of what `authenticate` has answered: it may be another when it is read again. */
function answerOf(
  authenticate: Authenticate,
  request: ApiRequest,
  clientAddress: string | undefined,
): Promise<FoundCaller> {
  const { method, url, original } = request;
  const call = async () =>
    copyOf(await authenticate({ method, url, headers: request.headers(), clientAddress, original }));
  return within(MAX_AUTHENTICATION_MS, call, () => unavailableBecause('ETIMEDOUT'));
}

/** A wrong answer is a fault of the vendor's code. Nothing is listed, as it could be another organization's. */
function checked({ organizationId, callerId, ...others }: AuthenticatedCaller): Caller {
  const organization = parseOwnerId<OrganizationId>(organizationId);
  const id = parseActor(callerId);
  if (organization === undefined) throw new TypeError(`authenticate: organizationId ${OWNER_ID_RULE}`);
  if (id === undefined) throw new TypeError(`authenticate: callerId ${ACTOR_RULE}`);
  requireKnown('', Object.keys(others), ['organizationId', 'callerId', 'only']);
  return { organizationId: organization, id, ...('only' in others && { scope: scopeOf(others.only) }) };
}

const NO_DEFAULT_WORKSPACE = "; the default workspace, which has none, can't be given";

/** Where it isn't clear what the caller may see, that is nothing. */
function scopeOf(only: unknown): Scope {
  const scope: Record<keyof Scope, unknown> = { workspaceId: undefined, creatorId: undefined };
  const members = isObject(only) ? Object.entries(only) : [];
  const names = members.map(([name]) => name);
  requireKnown('only.', names, Object.keys(scope));
  if (members.length === 0)
    throw new TypeError(
      'authenticate: only: must be an object with workspaceId, creatorId or both; leave it out for the whole organization',
    );
  const wrong = members.find(([, value]) => parseOwnerId(value) === undefined);
  if (wrong)
    throw new TypeError(
      `authenticate: only.${wrong[0]} ${OWNER_ID_RULE}${wrong[0] === 'workspaceId' ? NO_DEFAULT_WORKSPACE : ''}`,
    );
  return Object.fromEntries(members) as Scope;
}

/** A restriction that isn't known here would restrict nothing. */
function requireKnown(path: string, fields: readonly string[], known: readonly string[]): void {
  const unknown = fields.find(field => !known.includes(field));
  if (unknown !== undefined)
    throw new TypeError(
      `authenticate: ${path}${printableName(unknown)}: unknown field; there are ${known.join(', ')}`,
    );
}
