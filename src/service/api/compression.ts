import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Answer, wholeBody } from './answer.ts';
import { MAX_COMPRESSIONS } from './limits.ts';
import type { ApiRequest } from './request.ts';

/** A browser's has 23 characters. A long list would take long to read. */
const MAX_ACCEPT_ENCODING_LENGTH = 256;

/**
 * Whether the client takes a body that is compressed by gzip (RFC 9110, section 12.5.3). What isn't well-formed in its header counts
 * as not said.
 */
export function acceptsGzip(request: Pick<ApiRequest, 'header'>): boolean {
  const accepted = request.header('accept-encoding')?.toLowerCase() ?? '';
  if (accepted.length > MAX_ACCEPT_ENCODING_LENGTH) return false;
  const qualities = new Map(
    accepted.split(',').map(each => {
      const [coding = '', quality = 'q=1'] = each.split(';').map(text => text.trim());
      return [coding, quality];
    }),
  );
  const [, quality] = /^q=([01](?:\.\d*)?)$/.exec(qualities.get('gzip') ?? qualities.get('*') ?? '') ?? [];
  return Number(quality ?? 0) > 0;
}

/** Each keeps a thread busy, and the event loop needs a core too. */
const MAX_UNDER_WAY = Math.max(1, Math.min(MAX_COMPRESSIONS, availableParallelism() - 1));

/** Compresses answers, outside of the event loop and a few at a time. Others are sent as they are: waiting would take longer. */
export class Compression {
  #underWay = 0;

  /** Compresses the body where the client takes that. Sets the headers, also where nothing is compressed. */
  async apply(answer: Answer, request: ApiRequest): Promise<void> {
    answer.headers.vary = 'accept-encoding';
    if (!acceptsGzip(request) || this.#underWay === MAX_UNDER_WAY) return;
    this.#underWay += 1;
    try {
      const body = wholeBody(answer.body);
      // The first level: the next ones take longer and save a few percent. The page shrinks to less than a quarter, so that it
      // comes in one piece: each piece is another task for a thread.
      answer.body = await promisify(gzip)(body, { level: 1, chunkSize: Math.ceil(body.length / 4) });
      answer.headers['content-encoding'] = 'gzip';
    } finally {
      this.#underWay -= 1;
    }
  }
}
