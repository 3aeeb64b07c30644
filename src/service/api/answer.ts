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
export type Body = string | Buffer | Pieces;

/** Bytes that are sent piece by piece, so that a large page isn't copied to be joined. */
export class Pieces {
  readonly pieces: readonly Buffer[];
  /** In bytes. */
  readonly length: number;
  /** What a piece is in, if this answer alone has it. */
  readonly memory: ArrayBuffer | null;

  constructor(pieces: readonly Buffer[], memory: ArrayBuffer | null) {
    this.pieces = pieces;
    this.length = pieces.reduce((length, piece) => length + piece.length, 0);
    this.memory = memory;
  }

  /**
   * Gives the memory back at once. V8 would wait for a collection of its whole heap, and begin one for every few large pages. Call it
   * when nobody reads these bytes any more.
   */
  release(): void {
    this.memory?.transfer(0);
  }
}

/** The body in one. */
export function wholeBody(body: Body): string | Buffer {
  return body instanceof Pieces ? Buffer.concat(body.pieces) : body;
}

/** In bytes. */
export function bodyLength(body: Body): number {
  return body instanceof Pieces ? body.length : Buffer.byteLength(body);
}
