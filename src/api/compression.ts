import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import Negotiator from 'negotiator';
import { type Answer, wholeBody } from './answer.ts';
import { MAX_COMPRESSIONS, MIN_BYTES_TO_COMPRESS } from './limits.ts';
import type { ApiRequest } from './request.ts';

/** How a body may be compressed (RFC 9110, section 8.4.1). */
export type ContentCoding = 'zstd' | 'br' | 'gzip';

/** A browser's has 23 characters. A long list would take milliseconds to read. */
const MAX_ACCEPT_ENCODING_LENGTH = 256;

/**
 * Which of these codings the client likes best; of two that it likes as much, the first. `undefined`: none of them, or it likes a
 * body better that isn't compressed. What isn't well-formed in its header counts as not said.
 */
export function preferredCoding<Coding extends ContentCoding>(
  request: Pick<ApiRequest, 'header'>,
  codings: readonly Coding[],
): Coding | undefined {
  const accepted = request.header('accept-encoding');
  if (accepted === undefined || accepted.length > MAX_ACCEPT_ENCODING_LENGTH) return undefined;
  const available = [...codings, 'identity' as const];
  const negotiator = new Negotiator({ headers: { 'accept-encoding': accepted.toLowerCase() } });
  const [best] = negotiator.encodings(available, { preferred: available });
  return best === 'identity' ? undefined : best;
}

import zlib from 'node:zlib'; // not by name: Node before 22.15 has no `zstdCompress`

type Whole = ReturnType<typeof wholeBody>;
const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = zlib.constants;

/** A page shrinks to less than that, so that it comes in one piece: each piece is another task for a thread. */
const chunkSize = ({ length }: Whole) => Math.ceil(length / 4);

/** Each at its first level: the next ones take up to twice the time and save a few percent. */
const compressors = {
  zstd: (body: Whole) =>
    promisify(zlib.zstdCompress)(body, {
      params: { [ZSTD_c_compressionLevel]: 1 },
      chunkSize: chunkSize(body),
    }),
  br: (body: Whole) =>
    promisify(zlib.brotliCompress)(body, {
      params: { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_SIZE_HINT]: body.length },
      chunkSize: chunkSize(body),
    }),
  gzip: (body: Whole) => promisify(zlib.gzip)(body, { level: 1, chunkSize: chunkSize(body) }),
} satisfies Record<ContentCoding, (body: Whole) => Promise<Buffer>>;

/** Those of this version of Node, the fastest first. */
const CODINGS: readonly ContentCoding[] =
  typeof zlib.zstdCompress === 'function' ? ['zstd', 'br', 'gzip'] : ['br', 'gzip'];

/** Each keeps a thread busy, and the event loop needs a core too. */
const MAX_UNDER_WAY = Math.max(1, Math.min(MAX_COMPRESSIONS, availableParallelism() - 1));

/** Compresses large answers, outside of the event loop and a few at a time. Others are sent as they are: waiting would take longer. */
export class Compression {
  #underWay = 0;

  /** Whether this answer is large. Whoever set `vary` has chosen its form already. */
  concerns({ body, headers }: Answer): boolean {
    return body.length >= MIN_BYTES_TO_COMPRESS && headers.vary === undefined;
  }

  /** Compresses the body by the coding that the client likes best. Sets the headers, also where nothing is compressed. */
  async apply(answer: Answer, request: ApiRequest): Promise<void> {
    answer.headers.vary = 'accept-encoding';
    const coding = preferredCoding(request, CODINGS);
    if (!coding || this.#underWay === MAX_UNDER_WAY) return;
    this.#underWay += 1;
    try {
      answer.body = await compressors[coding](wholeBody(answer.body));
      answer.headers['content-encoding'] = coding;
    } finally {
      this.#underWay -= 1;
    }
  }
}
