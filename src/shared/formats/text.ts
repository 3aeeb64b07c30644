import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refused } from '../record/faults.ts';

/** The formats of imports and exports; `jsonl` is JSON Lines. */
export const FORMATS = ['jsonl', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** The format that the file's name implies, with or without `.gz`; JSON Lines by default. */
export function guessFormat(file: string): Format {
  return /\.csv(\.gz)?$/i.test(file) ? 'csv' : 'jsonl';
}

/** RFC 1952, section 2.3.1. */
const GZIP_MAGIC = [0x1f, 0x8b];

/** Decompresses the source if it is gzip, and otherwise passes it on. Throws `Refused` for corrupt gzip data. */
export async function* decompress(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { start, whole } = await peek(source, GZIP_MAGIC.length);
  yield* GZIP_MAGIC.every((byte, index) => start[index] === byte) ? gunzip(whole) : whole;
}

/** At least so many of the first bytes, where there are so many, and all of the source. */
export async function peek(source: AsyncIterable<Buffer>, min: number) {
  const chunks = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < min) {
    const { done, value } = await chunks.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const whole = async function* () {
    yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  return { start, whole: whole() };
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

/** Decodes UTF-8. Throws `Refused` for bytes that are not UTF-8. */
export async function* decodeUtf8(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of source) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    const isNotUtf8 = (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw isNotUtf8 ? new Refused(NOT_UTF8, { cause: error }) : error;
  }
}

const NOT_UTF8 = 'the file is not UTF-8: "iconv -f UTF-8" tells where';
