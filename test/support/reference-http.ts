/**
 * Reference parser: splits a stream of bytes into requests, strictly by RFC 9112. The service may refuse more. What it
 * accepts it must split into the same requests, or an answer goes to the wrong one.
 */
export interface ReadRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly start: number;
  readonly end: number;
  /** No later request on this connection is answered. */
  readonly last: boolean;
}

interface ReadStream {
  readonly requests: readonly ReadRequest[];
  /** What comes after the requests. */
  readonly rest: 'nothing' | 'incomplete' | 'malformed' | 'not read';
  /** A request with complete headers and an incomplete body: it may be answered or refused. */
  readonly unfinished?: ReadRequest;
}

// Section 3 lets a parser accept several spaces instead of one, as Node's does.
const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+) +([!-~]+) +HTTP\/1\.([01])$/;
const CHUNK_LINE =
  /^([\da-f]{1,13})(?:;[!#$%&'*+.^_`|~\w-]+(?:=(?:[!#$%&'*+.^_`|~\w-]+|"[\t !#-[\]-~]*"))?)*$/i;
/** Section 7.1.1: a parser ignores unknown extensions, and may therefore accept malformed ones. */
const LOOSE_CHUNK_LINE = /^([\da-f]{1,13})(?:;[\t -~\x80-\xff]*)?$/i;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*((?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)[ \t]*$/;

/** Section 6.5.1: a trailer must not define where a message ends. */
const FORBIDDEN_TRAILER = /^(transfer-encoding|content-length):/i;

/** `bytes` has one character for each byte (Latin-1). `loosely` accepts malformed chunk extensions. */
export function readRequests(bytes: string, loosely = false): ReadStream {
  const requests: ReadRequest[] = [];
  for (let at = 0; ; ) {
    while (bytes[at] === '\r' || bytes[at] === '\n') at += 1; // section 2.2
    if (at === bytes.length) return { requests, rest: 'nothing' };
    const head = readHead(bytes, at);
    if (typeof head === 'string') return { requests, rest: head };
    const body = endOfBody(
      bytes,
      head.end,
      valuesOf(head, 'transfer-encoding'),
      valuesOf(head, 'content-length'),
      loosely ? LOOSE_CHUNK_LINE : CHUNK_LINE,
    );
    if (typeof body === 'string') {
      return { requests, rest: body, unfinished: { ...head, end: bytes.length } };
    }
    const request = { ...head, end: body };
    requests.push(request);
    if (request.last) return { requests, rest: 'not read' };
    at = request.end;
  }
}

export function valuesOf({ headers }: ReadRequest, name: string): string[] {
  return headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
}

/** Parses the request line and the headers; the result ends where the headers end. */
function readHead(bytes: string, start: number): ReadRequest | 'incomplete' | 'malformed' {
  const endOfHead = bytes.indexOf('\r\n\r\n', start);
  if (endOfHead < 0) return 'incomplete';
  const [first = '', ...lines] = bytes.slice(start, endOfHead).split('\r\n');
  const [, method, target, minor] = REQUEST_LINE.exec(first) ?? [];
  const headers = lines.map(line => HEADER_LINE.exec(line)?.slice(1) as [string, string] | undefined);
  if (!method || !target || !headers.every(header => header !== undefined)) return 'malformed';
  const head = { method, target, headers, start, end: endOfHead + 4, last: false };
  const options = valuesOf(head, 'connection')
    .join()
    .toLowerCase()
    .split(/[ \t]*,[ \t]*/);
  const kept = minor === '1' ? !options.includes('close') : options.includes('keep-alive');
  return { ...head, last: method === 'CONNECT' || !kept };
}

/** Finds the end of the body (section 6.3). */
function endOfBody(
  bytes: string,
  start: number,
  codings: readonly string[],
  lengths: readonly string[],
  chunkLine: RegExp,
): number | 'incomplete' | 'malformed' {
  if (codings.length > 0) {
    const chunked = lengths.length === 0 && /^(.*,[ \t]*)?chunked$/i.test(codings.join());
    return chunked ? endOfChunks(bytes, start, chunkLine) : 'malformed';
  }
  if (lengths.length === 0) return start;
  if (lengths.length > 1 || !/^\d+$/.test(String(lengths[0]))) return 'malformed';
  const end = start + Number(lengths[0]);
  return end <= bytes.length ? end : 'incomplete';
}

/** Finds the end of a chunked body (section 7.1). */
function endOfChunks(bytes: string, start: number, chunkLine: RegExp): number | 'incomplete' | 'malformed' {
  for (let at = start; ; ) {
    const endOfLine = bytes.indexOf('\r\n', at);
    if (endOfLine < 0) return 'incomplete';
    const [, digits] = chunkLine.exec(bytes.slice(at, endOfLine)) ?? [];
    if (!digits) return 'malformed';
    const size = Number.parseInt(digits, 16);
    at = endOfLine + 2;
    if (size === 0) {
      if (bytes.startsWith('\r\n', at)) return at + 2;
      const trailers = bytes.indexOf('\r\n\r\n', at);
      if (trailers < 0) return 'incomplete';
      const lines = bytes.slice(at, trailers).split('\r\n');
      return lines.every(line => HEADER_LINE.test(line) && !FORBIDDEN_TRAILER.test(line))
        ? trailers + 4
        : 'malformed';
    }
    if (at + size + 2 > bytes.length) return 'incomplete';
    if (!bytes.startsWith('\r\n', at + size)) return 'malformed';
    at += size + 2;
  }
}
