import type { FastifyReply, FastifyRequest } from 'fastify';
import { StoreBusy, StoreUnavailable } from '../roster/errors.ts';
import { sendJson } from './answer.ts';
import { ApiError, renderError } from './errors.ts';
import { RETRY_AFTER_SECONDS } from './limits.ts';
import { overloadError } from './overload.ts';

/** Answers with a message that reveals nothing internal. The log has the cause, under the same request ID. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const apiError = apiErrorOf(error);
  const request_id = request.id;
  if (error instanceof StoreUnavailable) {
    request.log.error({ request_id, reason: error.message }, 'store unavailable');
  } else if (apiError.status === 500) {
    request.log.error({ request_id, err: error }, 'request failed');
  }
  reply.code(apiError.status).headers(apiError.headers);
  return sendJson(reply, renderError(apiError, request.id));
}

function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StoreBusy) return overloadError();
  if (error instanceof StoreUnavailable) {
    return new ApiError(503, 'the roster cannot be read just now; try again', {
      'retry-after': RETRY_AFTER_SECONDS,
    });
  }
  const { code, statusCode = 500 } = (error ?? {}) as { code?: unknown; statusCode?: number };
  const refusedByFastify = String(code).startsWith('FST_ERR_') && statusCode < 500;
  if (refusedByFastify) return new ApiError(400, 'malformed request');
  return new ApiError(500, 'an internal error; the request_id finds it in the log');
}
