import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';

/** A new ID for every request. The ID of an incoming header is neither trusted nor echoed. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

/** On every answer, errors included (docs/api.md#answer-headers). No proxy or browser may cache a roster. */
export function headersOfEveryAnswer(requestId: string) {
  return { 'request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
}

/** Sends serialized JSON. Fastify's serializer would add a charset, which JSON doesn't have (RFC 8259, section 11). */
export function sendJson(reply: FastifyReply, body: string | Buffer): FastifyReply {
  return reply.type('application/json').serializer(unchanged).send(body);
}

function unchanged(body: string): string {
  return body;
}
