/** IDs are 1 to 128 of `A-Z a-z 0-9 _ -` (docs/api.md#parameters). They are ASCII, so comparing strings compares bytes. */

export type ApiKeyId = string & { readonly kind: 'ApiKeyId' };
export type OrganizationId = string & { readonly kind: 'OrganizationId' };
export type WorkspaceId = string & { readonly kind: 'WorkspaceId' };
export type CreatorId = string & { readonly kind: 'CreatorId' };
export type AdminKeyId = string & { readonly kind: 'AdminKeyId' };
export type ImportId = string & { readonly kind: 'ImportId' };

export type AnyId = ApiKeyId | OrganizationId | WorkspaceId | CreatorId | AdminKeyId | ImportId;

export const ID_PATTERN = '^[A-Za-z0-9_-]{1,128}$';
export const ID_RULE = 'must be 1 to 128 of A-Z a-z 0-9 _ -';

const idPattern = new RegExp(ID_PATTERN);

/** The text as an ID of type `Id`; `undefined` when it isn't a well-formed ID. */
export function parseId<Id extends AnyId>(text: unknown): Id | undefined {
  return typeof text === 'string' && idPattern.test(text) ? (text as Id) : undefined;
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
