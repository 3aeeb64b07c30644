import { KeyrosterError, type ServiceErrorType } from './errors.ts';
import { excessIn } from './excess.ts';
import type { Settings } from './options.ts';

export interface Answer {
  readonly status: number;
  /** Parsed JSON. */
  readonly body: unknown;
  readonly requestId: string | null;
  readonly organizationId: string | null;
  readonly scope: string | null;
}

/** Reads the whole body, or cancels it. Throws a `KeyrosterError` unless the answer is a success with JSON. */
export async function readAnswer(
  response: Response,
  { organizationHeader, scopeHeader }: Settings,
  attempt: AbortSignal,
): Promise<Answer> {
  const { status, headers } = response;
  const requestId = headers.get('request-id');
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    cancelBody(response.body);
    const message =
      'the service redirects, and the client sends the admin key nowhere else: fix the base URL';
    throw new KeyrosterError({ type: 'unexpected_answer_error', message, status: status || null, requestId });
  }
  const json = /^application\/(?:[\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '');
  const text = await readBody(response, attempt);
  const excess =
    text === undefined ? `is larger than ${MAX_BODY_BYTES / 2 ** 20} MiB` : json ? excessIn(text) : undefined;
  if (text === undefined || excess !== undefined) {
    const message = `the answer ${excess}`;
    throw new KeyrosterError({ type: 'unexpected_answer_error', message, status, requestId });
  }
  const body = json ? parseJson(text) : undefined;
  if (!response.ok) throw errorOf(response, json ? body : text);
  const [organizationId, scope] = [headers.get(organizationHeader), headers.get(scopeHeader)];
  if (body !== undefined) return { status, body, requestId, organizationId, scope };
  // A body without a length and without chunks ends where the connection closes: only broken JSON shows that it is cut off.
  const [type, message] = json
    ? (['network_error', 'the answer is cut off'] as const)
    : (['unexpected_answer_error', `the answer is not JSON: ${WRONG_URL}`] as const);
  throw new KeyrosterError({ type, message, status, requestId });
}

const WRONG_URL = 'is this the base URL of the service?';

function errorOf({ status, headers }: Response, body: unknown): KeyrosterError {
  const { error, request_id } = Object(body);
  const requestId = headers.get('request-id') ?? (typeof request_id === 'string' ? request_id : null);
  const ofService = Object(error).type;
  const type = isServiceError(ofService) ? ofService : 'unexpected_answer_error';
  const told = messageIn(body);
  // From 500 on it is rather a proxy that gets no answer.
  const advice = status === 404 || (told === undefined && status < 500) ? `: ${WRONG_URL}` : '';
  const foreign = `the service answered ${status}: ${told ?? 'no error message in the body'}${advice}`;
  const message = isServiceError(type) && told !== undefined ? told : foreign;
  return new KeyrosterError({
    type,
    message,
    status,
    requestId,
    retryAfterSeconds: retryAfterSeconds(headers),
  });
}

/** In the usual forms: `error.message` as Keyroster has it, `message`, `error`, `detail` (RFC 9457), or of the first in a list; of a text the first line, unless it is a page. */
function messageIn(body: unknown): string | undefined {
  if (typeof body === 'string') return /^[^<\p{Cc}]+/u.exec(body.trim())?.[0];
  const { error, message, detail, errors, title } = Object(body);
  const first = (list: unknown) =>
    Array.isArray(list) ? (list[0]?.message ?? list[0]?.msg ?? list[0]) : list;
  const texts = [error?.message, message, error, first(detail), first(errors), title];
  return texts.find(text => typeof text === 'string' && text !== '');
}

/** An object and not a list, so that a missing type doesn't compile. */
const SERVICE_ERRORS: Readonly<Record<ServiceErrorType, true>> = {
  invalid_request_error: true,
  authentication_error: true,
  not_found_error: true,
  rate_limit_error: true,
  overloaded_error: true,
  api_error: true,
};

function isServiceError(type: unknown): type is ServiceErrorType {
  return typeof type === 'string' && Object.hasOwn(SERVICE_ERRORS, type);
}

/** `retry-after` is a number of seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterSeconds(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** `undefined` for a text that isn't JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Max bytes of an answer, decompressed. A page has at most 1,000 records, and the largest record, with a name of 1,000
 * characters that JSON escapes, has under 14 KB; the rest is for fields that a service adds.
 */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The whole body; `undefined` when it is larger than the max. The rest isn't read then, nor after the signal is aborted. */
async function readBody({ body }: Response, signal: AbortSignal): Promise<string | undefined> {
  const reader = body?.getReader();
  const cancel = () => cancelBody(reader);
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    bytes += chunk.value.length;
    if (bytes > MAX_BODY_BYTES) {
      cancel();
      return undefined;
    }
    text += decoder.decode(chunk.value, { stream: true });
  }
  return text + decoder.decode();
}

/** Lets go of the connection, which would keep the process running. Isn't awaited: a service may keep even that waiting. */
function cancelBody(body: ReadableStream | ReadableStreamDefaultReader | null | undefined): void {
  body?.cancel().catch(() => {});
}
