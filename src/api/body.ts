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
