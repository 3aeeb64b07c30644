/** RFC 6265, section 4.1.1, `cookie-octet`: neither a comma, which is between values of a header that was sent twice, nor a space. */
const OPAQUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

/** The value of a header that was sent once. */
export function soleHeader(headers: Headers, name: string): string | undefined {
  return opaque(headers.get(name));
}

/** What follows `Bearer` in the one header `authorization`. */
export function bearerToken(headers: Headers): string | undefined {
  return opaque(/^bearer +(.*)$/i.exec(headers.get('authorization') ?? '')?.[1]);
}

/** The value as it was sent, not decoded, of a cookie that was sent once: of two, nobody knows which one is right. */
export function soleCookie(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map(pair => pair.replace(/^[ \t]+|[ \t]+$/g, ''));
  const [pair, ...others] = pairs.filter(each => each.startsWith(`${name}=`));
  if (others.length > 0) return undefined;
  return opaque(pair?.slice(name.length + 1).replace(/^"(.*)"$/, '$1'));
}

const opaque = (value: string | null | undefined) => (value && OPAQUE.test(value) ? value : undefined);
