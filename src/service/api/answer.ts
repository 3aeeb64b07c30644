import { randomFillSync } from 'node:crypto';
import type { Caller } from './request.ts';

/** An answer in the making. What a step has added to it stays when a later one refuses the request. */
export interface Answer {
  readonly requestId: string;
  status: number;
  readonly headers: Record<string, string>;
  body: Body;
  /** The path that was found. */
  route: string | null;
  caller: Caller | null;
  /** The items of a page. */
  items?: number;
  /**
   * Only of a page: call it once when the page was sent, with the bytes of it that are still in memory, and what it returns
   * when they are gone.
   */
  sent?: (unreadBytes: number) => () => void;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
}

export function newAnswer(): Answer {
  const requestId = newRequestId();
  return {
    requestId,
    status: 200,
    headers: headersOfEveryAnswer(requestId),
    body: '',
    route: null,
    caller: null,
    startedAt: performance.now(),
  };
}

const ID_BYTES = 16;
/** Filled at once: to ask for the bytes of each ID takes longer than all else that makes it. */
const random = Buffer.allocUnsafeSlow(256 * ID_BYTES);
let used = random.length;

/** A new ID for every request. The ID of an incoming header is neither trusted nor echoed. */
export function newRequestId(): string {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += ID_BYTES;
  return `req_${random.toString('hex', used - ID_BYTES, used)}`;
}

/** On every answer, errors included (docs/api.md#answer-headers). No proxy or browser may cache a roster. */
export function headersOfEveryAnswer(requestId: string) {
  return { 'request-id': requestId, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
}

/** JSON has no charset (RFC 8259, section 11). */
export function fillWithJson(answer: Answer, body: Body): void {
  answer.headers['content-type'] = 'application/json';
  answer.body = body;
}

/** What is sent, if it has a body. */
export type Body = string | Buffer | AsciiPieces;

/**
 * A text that is sent piece by piece. So a large one isn't copied to be joined, nor into a buffer, whose memory V8 counts as old: it
 * would collect all of its heap for it again and again.
 */
export class AsciiPieces {
  readonly pieces: readonly string[];
  /** In bytes, as each character is one. */
  readonly length: number;

  /** All of the characters have to be ASCII. */
  constructor(...pieces: readonly string[]) {
    this.pieces = pieces;
    this.length = pieces.reduce((length, piece) => length + piece.length, 0);
  }
}

/** The body in one. */
export function wholeBody(body: Body): string | Buffer {
  return body instanceof AsciiPieces ? body.pieces.join('') : body;
}

/** In bytes. */
export function bodyLength(body: Body): number {
  return body instanceof AsciiPieces ? body.length : Buffer.byteLength(body);
}
