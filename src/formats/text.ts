import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refused } from '../roster/errors.ts';

/** RFC 1952, section 2.3.1. */
const GZIP_MAGIC = [0x1f, 0x8b];

/** The bytes of a file or of standard input, unpacked when they are gzip. Throws `Refused` when that is broken. */
export async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
  if (GZIP_MAGIC.every((byte, index) => start[index] === byte)) yield* gunzipped(whole());
  else yield* whole();
}

async function* gunzipped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = Readable.from(source);
  const gunzip = createGunzip();
  input.on('error', error => gunzip.destroy(error));
  try {
    yield* input.pipe(gunzip) as AsyncIterable<Buffer>;
  } catch (error) {
    const broken = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
    throw broken ? new Refused('gzip: the data is broken or breaks off', { cause: error }) : error;
  } finally {
    input.destroy();
  }
}

/** The text of UTF-8 bytes. Throws `Refused`, with the line, where they are no UTF-8. */
export async function* decoded(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let line = 1;
  let begun: Buffer = Buffer.alloc(0); // what may be the start of a character that goes on in the next chunk
  for await (const chunk of source) {
    try {
      yield decoder.decode(chunk, { stream: true });
    } catch (error) {
      throw new Refused(`line ${line + newlinesBeforeFault(Buffer.concat([begun, chunk]))}: not UTF-8`, {
        cause: error,
      });
    }
    line += newlinesIn(chunk);
    begun = startOfCharacter(Buffer.concat([begun, chunk.subarray(-MAX_BEGUN)]));
  }
  try {
    yield decoder.decode();
  } catch (error) {
    throw new Refused(`line ${line}: not UTF-8`, { cause: error });
  }
}

/** Of a character of four bytes. */
const MAX_BEGUN = 3;
const NEWLINE = 0x0a;

/** The last bytes from the last one that begins a character of several. */
function startOfCharacter(bytes: Buffer): Buffer {
  const end = bytes.subarray(-MAX_BEGUN);
  const start = end.findLastIndex(byte => byte >= 0xc0);
  return start < 0 || end.includes(NEWLINE, start) ? Buffer.alloc(0) : end.subarray(start);
}

/** Node's decoder doesn't tell where it stopped, but no character has a newline's byte within it. */
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
