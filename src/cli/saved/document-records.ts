import { MAX_LINE_BYTES } from '../../formats/json-lines.ts';
import { Refused } from '../../roster/errors.ts';
import { isObject } from '../../roster/fields.ts';

/** An object of the list, with the line on which it begins. Of one that is too long it has only the beginning. */
export interface Element {
  readonly line: number;
  readonly bytes: Buffer;
}

const [QUOTE, BACKSLASH, NEWLINE, SPACE, ZERO] = [0x22, 0x5c, 0x0a, 0x20, 0x30];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** For a comma and a `0` of each of ten million records, and more. */
const MAX_AROUND = 32 * 1024 * 1024;

/**
 * The objects of one JSON document: of the first list in it, which is the whole document or a member of it (`{"data":[…]}`). Memory
 * doesn't grow with them. What is around them is kept with a `0` for each object, and has to be JSON when all is read. It is given
 * to `end`.
 */
export async function* splitDocument(
  source: AsyncIterable<Buffer>,
  end: (document: Record<string, unknown>) => void,
): AsyncGenerator<readonly Element[]> {
  const scan = new DocumentScan();
  for await (const chunk of source) yield scan.read(chunk);
  end(scan.document());
}

class DocumentScan {
  #line = 1;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** How deep the list is that has the objects; `undefined`: it hasn't begun. */
  #listDepth: number | undefined;
  #listEnded = false;
  /** The object that has begun: its parts in earlier chunks, and where it begins in this one. */
  #parts: Buffer[] = [];
  #length = 0;
  #begin: { line: number; at: number } | undefined;
  #count = 0;
  /** What is around the objects: of this chunk, and of those before it. */
  #kept: number[] = [];
  readonly #around: Buffer[] = [];
  #bytesAround = 0;

  read(chunk: Buffer): Element[] {
    const found: Element[] = [];
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (byte === NEWLINE) this.#line += 1;
      const within = this.#begin !== undefined;
      if (this.#inString) this.#readInString(byte);
      else if (byte === QUOTE) this.#inString = true;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#open(byte, at);
      else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        this.#depth -= 1;
        if (within && this.#depth === this.#listDepth) found.push(this.#element(chunk, at + 1));
        else if (this.#listDepth !== undefined && this.#depth < this.#listDepth) this.#listEnded = true;
      }
      if (!within && this.#begin === undefined && (byte > SPACE || this.#inString)) this.#keep(byte);
    }
    if (this.#begin) this.#continue(chunk.subarray(this.#begin.at));
    this.#around.push(Buffer.from(this.#kept));
    this.#bytesAround += this.#kept.length;
    if (this.#bytesAround > MAX_AROUND) throw new Refused('is no roster: too much in it is not of a record');
    this.#kept = [];
    return found;
  }

  #readInString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#inString = false;
  }

  #open(byte: number, at: number): void {
    const isElement = byte === OPEN_OBJECT && this.#depth === this.#listDepth && !this.#listEnded;
    this.#depth += 1;
    if (isElement) this.#begin = { line: this.#line, at };
    else if (byte === OPEN_LIST) this.#listDepth ??= this.#depth;
  }

  #element(chunk: Buffer, end: number): Element {
    const { line, at } = this.#begin as { line: number; at: number };
    this.#continue(chunk.subarray(at, end));
    const bytes = Buffer.concat(this.#parts, Math.min(this.#length, MAX_LINE_BYTES + 1));
    this.#begin = undefined;
    this.#parts = [];
    this.#length = 0;
    this.#count += 1;
    this.#keep(ZERO);
    return { line, bytes };
  }

  #continue(part: Buffer): void {
    if (this.#length <= MAX_LINE_BYTES) this.#parts.push(part);
    this.#length += part.length;
    if (this.#begin) this.#begin.at = 0;
  }

  #keep(byte: number): void {
    this.#kept.push(byte);
  }

  document(): Record<string, unknown> {
    let parsed: unknown;
    try {
      parsed = JSON.parse(
        Buffer.concat(this.#around)
          .toString()
          .replace(/^\uFEFF/, ''),
      );
    } catch (error) {
      const isCutOff = this.#depth > 0 || this.#inString;
      const problem = isCutOff ? 'not JSON: is the file cut off?' : 'not JSON as a whole: leave one document';
      throw new Refused(`line ${this.#line}: ${problem}`, { cause: error });
    }
    const document = isObject(parsed) ? parsed : { data: parsed };
    const list = Object.values(document).find(Array.isArray);
    if (list?.length !== this.#count) throw new Refused('the list must hold records and nothing else');
    return document;
  }
}
