import { type AnsweredErrorType, KeyrosterError } from './errors.ts';
import type { Settings } from './options.ts';

export interface Answer {
  readonly status: number;
  /** Parsed JSON. */
  readonly body: unknown;
  readonly requestId: string | null;
  readonly organizationId: string | null;
}

/** Reads a response to its end. Throws a `KeyrosterError` for whatever isn't a 200 with JSON. */
export async function readAnswer(response: Response, { organizationHeader }: Settings): Promise<Answer> {
  const { status, headers } = response;
  const requestId = headers.get('request-id');
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const message = 'the service redirects, and the admin key is sent to no other place: mend the base URL';
    throw new KeyrosterError({ type: 'unexpected_answer_error', message, status: status || null, requestId });
  }
  const text = await response.text();
  const json = /^application\/json\b/i.test(headers.get('content-type') ?? '');
  const body = json ? parseJson(text) : undefined;
  if (status !== 200) throw answeredError(response, body);
  if (body !== undefined) return { status, body, requestId, organizationId: headers.get(organizationHeader) };
  // Where neither a length nor chunks tell the end of a body, only this shows that the connection broke before it.
  const [type, message] = json
    ? (['network_error', 'the answer breaks off'] as const)
    : (['unexpected_answer_error', 'the answer is not JSON: is this the base URL of the service?'] as const);
  throw new KeyrosterError({ type, message, status, requestId });
}

function answeredError({ status, headers }: Response, body: unknown): KeyrosterError {
  const { error, request_id } = (body ?? {}) as {
    error?: { type?: unknown; message?: unknown };
    request_id?: unknown;
  };
  const requestId = headers.get('request-id') ?? (typeof request_id === 'string' ? request_id : null);
  const type = isAnswered(error?.type) ? error.type : 'unexpected_answer_error';
  const said = typeof error?.message === 'string' ? error.message : 'without the error body of the contract';
  const message = isAnswered(type) ? said : `the service answered ${status}: ${said}`;
  return new KeyrosterError({
    type,
    message,
    status,
    requestId,
    retryAfterSeconds: retryAfterSeconds(headers),
  });
}

/** A record, so that none can be missing. */
const ANSWERED: Readonly<Record<AnsweredErrorType, true>> = {
  invalid_request_error: true,
  authentication_error: true,
  not_found_error: true,
  rate_limit_error: true,
  overloaded_error: true,
  api_error: true,
};

function isAnswered(type: unknown): type is AnsweredErrorType {
  return typeof type === 'string' && Object.hasOwn(ANSWERED, type);
}

/** Seconds, or the moment (RFC 9110, section 10.2.3). */
function retryAfterSeconds(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : Math.max(0, Math.ceil((moment - Date.now()) / 1000));
}

/** `undefined` where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
