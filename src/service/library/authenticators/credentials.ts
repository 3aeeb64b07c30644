/** RFC 6265, section 4.1.1, `cookie-octet`. A header that was sent twice has a comma and a space between its values. */
const OPAQUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;
const opaque = (value: string | null | undefined) => (value && OPAQUE.test(value) ? value : undefined);

export const soleHeader = (headers: Headers, name: string) => opaque(headers.get(name));

/** What follows `Bearer` in the one header `authorization`. */
export const bearerToken = (headers: Headers) =>
  opaque(/^bearer +(.*)$/i.exec(headers.get('authorization') ?? '')?.[1]);

/** The value, as it was sent, of a cookie that was sent once: of two, nobody knows which one is right. */
export function soleCookie(headers: Headers, name: string): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map(pair => pair.replace(/^[ \t]+/, ''));
  const [pair, ...others] = pairs.filter(each => each.startsWith(`${name}=`));
  return others.length > 0 ? undefined : opaque(pair?.slice(name.length + 1).replace(/^"(.*)"$/, '$1'));
}
