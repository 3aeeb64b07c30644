import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** Made anew for every request; one that comes in is neither trusted nor echoed. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

/** On every answer, errors included (docs/api.md#answer-headers). A roster must not stay in a cache on the way. */
export function headersOfEveryAnswer(requestId: string) {
  return { 'request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
}

/** Sends a body that is JSON already. Fastify's own serializer would add a charset, which JSON has none of (RFC 8259, section 11). */
export function sendJson(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.type('application/json').serializer(asIs).send(body);
}

function asIs(body: string): string {
  return body;
}
