import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refused } from '../roster/errors.ts';

/** RFC 1952, section 2.3.1. */
const GZIP_MAGIC = [0x1f, 0x8b];

/** Decompresses the source if it is gzip, and otherwise passes it on. Throws `Refused` for corrupt gzip data. */
export async function* decompress(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  let next = await chunks.next();
  while (!next.done && start.length < GZIP_MAGIC.length) {
    start = Buffer.concat([start, next.value]);
    next = await chunks.next();
  }
  const whole = async function* () {
    yield start;
    for (let chunk = next; !chunk.done; chunk = await chunks.next()) yield chunk.value;
  };
  if (GZIP_MAGIC.every((byte, index) => start[index] === byte)) yield* gunzip(whole());
  else yield* whole();
}

async function* gunzip(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = Readable.from(source);
  const decompressor = createGunzip();
  input.on('error', error => decompressor.destroy(error));
  try {
    yield* input.pipe(decompressor) as AsyncIterable<Buffer>;
  } catch (error) {
    const corrupt = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
    throw corrupt ? new Refused('gzip: the data is corrupt or incomplete', { cause: error }) : error;
  } finally {
    input.destroy();
  }
}

/** Decodes UTF-8. Throws `Refused`, with the line number, for bytes that are not UTF-8. */
export async function* decodeUtf8(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  let partial: Buffer = Buffer.alloc(0); // the start of a character that may continue in the next chunk
  for await (const chunk of source) {
    try {
      yield decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw new Refused(`line ${line + newlinesBeforeFault(Buffer.concat([partial, chunk]))}: not UTF-8`, {
        cause: error,
      });
    }
    line += newlinesIn(chunk);
    partial = partialCharacter(Buffer.concat([partial, chunk.subarray(-MAX_PARTIAL)]));
  }
  try {
    yield decoder.decode();
  } catch (error) {
    throw new Refused(`line ${line}: not UTF-8`, { cause: error });
  }
}

/** A character has at most four bytes, so an incomplete one at most three. */
const MAX_PARTIAL = 3;
const NEWLINE = 0x0a;

/** The trailing bytes from the last byte that starts a multi-byte character. */
function partialCharacter(bytes: Buffer): Buffer {
  const end = bytes.subarray(-MAX_PARTIAL);
  const start = end.findLastIndex(byte => byte >= 0xc0);
  return start < 0 || end.includes(NEWLINE, start) ? Buffer.alloc(0) : end.subarray(start);
}

/** Node's decoder doesn't tell where it failed, so lines are checked one by one: no multi-byte character contains a newline's byte. */
function newlinesBeforeFault(bytes: Buffer): number {
  let count = 0;
  let start = 0;
  for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
    if (!isUtf8(bytes.subarray(start, end))) break;
    count += 1;
    start = end + 1;
  }
  return count;
}

function newlinesIn(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}
