import { hash, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.ts';
import { type AdminKeyId, newId, type OrganizationId } from './identifier.ts';
import type { Timestamp } from './timestamp.ts';

/** An admin key as a store keeps it: a digest, never the secret. */
export interface AdminKey {
  readonly id: AdminKeyId;
  readonly organizationId: OrganizationId;
  readonly name: string;
  /** The last characters of the secret, to tell keys apart in a list. */
  readonly lastCharacters: string;
  readonly digest: Uint8Array;
  readonly createdAt: Timestamp;
  /** The first moment at which it no longer works; `null`: never. */
  readonly expiresAt: Timestamp | null;
  readonly revokedAt: Timestamp | null;
}

/** What a store is to keep of an admin key that was just issued. */
export function newAdminKey(
  secret: AdminKeySecret,
  key: Pick<AdminKey, 'organizationId' | 'name' | 'createdAt'> & Partial<Pick<AdminKey, 'expiresAt'>>,
): AdminKey {
  return {
    expiresAt: null,
    ...key,
    id: newId('adminkey'),
    lastCharacters: secret.lastCharacters(),
    digest: secret.digest(),
    revokedAt: null,
  };
}

/** Whether the key stands for its organization at this moment, given the digest of what the caller sent. */
export function admits(key: AdminKey, digest: Uint8Array, now: Timestamp): boolean {
  const same = timingSafeEqual(key.digest, digest);
  const expired = key.expiresAt !== null && key.expiresAt <= now;
  return same && !expired && key.revokedAt === null;
}

/** 43 of 62 characters are 256 random bits: nothing to guess, so a fast digest is enough. */
const RANDOM_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const LAST_CHARACTERS = 4;

const VENDOR = '[a-z][a-z0-9]*(?:-[a-z0-9]+)*';
const SECRET = `${VENDOR}-admin01-[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}`;
const vendorShape = new RegExp(`^(?=.{1,32}$)${VENDOR}$`);
const secretShape = new RegExp(`^(?=.{1,128}$)${SECRET}$`);
const secretInside = new RegExp(SECRET);

export const VENDOR_RULE = 'must be 1 to 32 of a-z 0-9 and inner hyphens, starting with a letter';

/** The service maker's name: the prefix of the version header and of admin keys. */
export type Vendor = string & { readonly kind: 'Vendor' };

export function parseVendor(text: string): Vendor | undefined {
  return vendorShape.test(text) ? (text as Vendor) : undefined;
}

export function holdsAdminKey(text: string): boolean {
  return text.includes('-admin01-') && secretInside.test(text);
}

/** The text with every admin key in it masked. */
export function withoutAdminKeys(text: string): string {
  return holdsAdminKey(text) ? text.replace(new RegExp(secretInside, 'g'), '[admin key]') : text;
}

/**
 * The secret of an admin key, `<vendor>-admin01-<random><checksum>`: scanners can find a leaked one, and a
 * mistyped one is refused without a look-up. It never prints itself; `reveal` is the one way out.
 */
export class AdminKeySecret {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  static issue(vendor: Vendor): AdminKeySecret {
    const body = `${vendor}-admin01-${randomBase62(RANDOM_CHARACTERS)}`;
    return new AdminKeySecret(body + checksum(body));
  }

  static parse(text: string): AdminKeySecret | undefined {
    if (!secretShape.test(text)) return undefined;
    const body = text.slice(0, -CHECKSUM_CHARACTERS);
    return text === body + checksum(body) ? new AdminKeySecret(text) : undefined;
  }

  /** SHA-256, 32 bytes. */
  digest(): Uint8Array {
    return Buffer.from(hash('sha256', this.#text, 'latin1'), 'latin1'); // a third of the time of 'buffer'
  }

  lastCharacters(): string {
    return this.#text.slice(-LAST_CHARACTERS);
  }

  reveal(): string {
    return this.#text;
  }

  toJSON(): string {
    return '[admin key]';
  }

  toString(): string {
    return '[admin key]';
  }

  [inspect.custom](): string {
    return '[admin key]';
  }
}

/** CRC-32 in base 62. It catches typing errors; it proves nothing. */
function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_CHARACTERS);
}
