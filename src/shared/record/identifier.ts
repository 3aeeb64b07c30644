/** IDs (docs/api.md#ids). They are ASCII, so comparing strings compares bytes, and have no character that JSON escapes. */

export type ApiKeyId = string & { readonly kind: 'ApiKeyId' };
export type OrganizationId = string & { readonly kind: 'OrganizationId' };
export type WorkspaceId = string & { readonly kind: 'WorkspaceId' };
export type CreatorId = string & { readonly kind: 'CreatorId' };
export type AdminKeyId = string & { readonly kind: 'AdminKeyId' };
export type ImportId = string & { readonly kind: 'ImportId' };

/** Of what Keyroster or an issuer names. */
export type KeyId = ApiKeyId | AdminKeyId | ImportId;
/** Of whom a key is. They are named elsewhere, such as `auth0|6507` or a mail address. */
export type OwnerId = OrganizationId | WorkspaceId | CreatorId;
export type AnyId = KeyId | OwnerId;

const KEY_CHARACTER = '[A-Za-z0-9_.:|/@~-]';
export const KEY_ID_PATTERN = `^${KEY_CHARACTER}{1,255}$`;
export const KEY_ID_RULE =
  'must be 1 to 255 of A-Z a-z 0-9 _ - . : | / @ ~, and not the word null or undefined';
/** One in a longer text. A cursor can't be the words that JavaScript writes where it has no value, so a walk would end at such a key. */
export const KEY_ID = `(?!(?:null|undefined)(?!${KEY_CHARACTER}))${KEY_CHARACTER}{1,255}`;

/** Visible ASCII without what has a meaning in JSON and HTML. */
const OWNER_CHARACTER = '[!#-;=?-\\[\\]-~]';
export const OWNER_ID_PATTERN = `^${OWNER_CHARACTER}{1,255}$`;
export const OWNER_ID_RULE =
  'must be 1 to 255 of visible ASCII but " \\ < >, and not look like a hash of a key';

const BASE64 = '[A-Za-z0-9+/_-]';
/** Base64 of a text, as the IDs of GraphQL are. Of digests, which are random bytes, at most one in 2,000 is. */
const TEXT = `(?:[A-Za-f][A-HQ-Xg-nw-z0-3]${OWNER_CHARACTER}{2})+(?!${OWNER_CHARACTER})`;
/** What only hashes look like, of all that these characters allow: those with two `$` or a `{scheme}`, and padded digests in Base64. */
const HASH = [
  String.raw`[A-Za-z0-9_:-]*\$[A-Za-z0-9_:.,=+/-]*\$${OWNER_CHARACTER}{8}`,
  String.raw`\{[A-Za-z0-9-]+\}${OWNER_CHARACTER}`,
  `(?!${TEXT})(?:[A-Za-z0-9-]+[:|])?(?:${BASE64}{22}==|${BASE64}{27}=|${BASE64}{38}==|${BASE64}{43}=|${BASE64}{86}==)(?!${OWNER_CHARACTER})`,
].join('|');
/** An owner's ID in a longer text, which goes on with another character. */
export const OWNER_ID = `(?!${HASH})${OWNER_CHARACTER}{1,255}`;

const keyIdPattern = new RegExp(`^${KEY_ID}$`);
const ownerIdPattern = new RegExp(`^${OWNER_ID}$`);

/** The text as an ID of type `Id`; `undefined` when it isn't a well-formed ID. */
export function parseKeyId<Id extends KeyId>(text: unknown): Id | undefined {
  return typeof text === 'string' && keyIdPattern.test(text) ? (text as Id) : undefined;
}

/** The same of an owner. */
export function parseOwnerId<Id extends OwnerId>(text: unknown): Id | undefined {
  return typeof text === 'string' && ownerIdPattern.test(text) ? (text as Id) : undefined;
}

/** A new ID. Its 131 random bits make it unique without a lookup. */
export function newId<Id extends OrganizationId | AdminKeyId | ImportId>(
  prefix: 'org' | 'adminkey' | 'import',
): Id {
  return `${prefix}_${randomBase62(22)}` as Id;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A byte that is as large has no character: some characters would come more often than others. */
const LIMIT = 256 - (256 % ALPHABET.length);

/** Cryptographically random characters of 5.95 bits each. */
export function randomBase62(length: number): string {
  let characters = '';
  while (characters.length < length) {
    // As many as are missing, since each call costs more than its bytes.
    for (const byte of crypto.getRandomValues(new Uint8Array(length - characters.length)))
      if (byte < LIMIT) characters += ALPHABET[byte % ALPHABET.length];
  }
  return characters;
}

/** The last `length` digits of a whole number in base 62, padded with zeros. */
export function toBase62(number: number, length: number): string {
  let rest = number;
  let digits = '';
  for (let place = 0; place < length; place++) {
    digits = ALPHABET[rest % ALPHABET.length] + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
