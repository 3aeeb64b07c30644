import { printableName } from '../../shared/record/fields.ts';
import { ID_RULE, type OrganizationId, parseId } from '../../shared/record/identifier.ts';
import { ACTOR_RULE, parseActor } from '../roster/actor.ts';
import {
  type Authenticate,
  type AuthenticatedCaller,
  AuthenticationUnavailable,
  type SecurityScheme,
} from './authenticate.ts';
import { ApiError, unavailable } from './errors.ts';
import { placeOfError, within } from './others-code.ts';
import type { ApiRequest, Authentication, Caller } from './request.ts';

/** A caller that waits longer gets a 503. */
const MAX_AUTHENTICATION_MS = 10_000;

/** Callers are known by what the vendor has: sessions, JSON Web Tokens, mutual TLS. */
export function ownAuthentication(authenticate: Authenticate, scheme: SecurityScheme): Authentication {
  const challenge = scheme.type === 'http' ? scheme.scheme : null;
  const message = `${requirementOf(scheme)} is required`;
  const refusal = () => new ApiError(401, message, challenge ? { 'www-authenticate': challenge } : {});
  return {
    async authenticate(request, clientAddress) {
      let answer: Answer | null;
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
interface Answer extends AuthenticatedCaller {
  readonly fields: readonly string[];
}

function answerOf(
  authenticate: Authenticate,
  request: ApiRequest,
  clientAddress: string | undefined,
): Promise<Answer | null> {
  const { method, url, original } = request;
  const call = async () => {
    const answer = await authenticate({ method, url, headers: request.headers(), clientAddress, original });
    if (!answer) return null;
    const { organizationId, callerId } = answer;
    return { organizationId, callerId, fields: Object.keys(answer) };
  };
  const tooLong = () => Object.assign(new AuthenticationUnavailable(), { code: 'ETIMEDOUT' }); // the log has the code
  return within(MAX_AUTHENTICATION_MS, call, tooLong);
}

/** A wrong answer is a fault of the vendor's code. Nothing is listed, as it could be another organization's. */
function checked({ organizationId, callerId, fields }: Answer): Caller {
  const organization = parseId<OrganizationId>(organizationId);
  const id = parseActor(callerId);
  if (organization === undefined) throw new TypeError(`authenticate: organizationId ${ID_RULE}`);
  if (id === undefined) throw new TypeError(`authenticate: callerId ${ACTOR_RULE}`);
  // A restriction that isn't known here would restrict nothing.
  const unknown = fields.find(field => field !== 'organizationId' && field !== 'callerId');
  if (unknown !== undefined)
    throw new TypeError(
      `authenticate: ${printableName(unknown)}: unknown field; return organizationId and callerId only`,
    );
  return { organizationId: organization, id };
}
