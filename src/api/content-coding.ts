import Negotiator from 'negotiator';
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
