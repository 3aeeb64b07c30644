import { hash } from 'node:crypto';
import { inspect } from 'node:util';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './identifier.ts';
import { VENDOR_PATTERN, type Vendor } from './vendor.ts';

/** 43 characters of base 62 hold 256 random bits. Nobody can guess that many, so a fast digest is enough. */
const RANDOM_CHARACTERS = 43;
const CHECKSUM_CHARACTERS = 6;
const LAST_CHARACTERS = 4;

const SECRET_PATTERN = `${VENDOR_PATTERN}-admin01-[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}`;
const wholeSecret = new RegExp(`^(?=.{1,128}$)${SECRET_PATTERN}$`);

/**
 * The secret of an admin key, `<vendor>-admin01-<random><checksum>`. Secret scanners can find a leaked one by its form, and
 * the checksum refuses a mistyped one without a lookup. Printing or serializing it gives `[admin key]`; only `reveal`
 * returns the text.
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

  /** `undefined` when the form or the checksum is wrong. */
  static parse(text: string): AdminKeySecret | undefined {
    if (!wholeSecret.test(text)) return undefined;
    const body = text.slice(0, -CHECKSUM_CHARACTERS);
    return text === body + checksum(body) ? new AdminKeySecret(text) : undefined;
  }

  /** SHA-256, 32 bytes. */
  digest(): Uint8Array {
    return Buffer.from(hash('sha256', this.#text, 'latin1'), 'latin1'); // three times as fast as 'buffer'
  }

  lastCharacters(): string {
    return this.#text.slice(-LAST_CHARACTERS);
  }

  reveal(): string {
    return this.#text;
  }

  toJSON(): string {
    return REDACTED;
  }

  toString(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** Printed instead of a secret. */
export const REDACTED = '[admin key]';

/** CRC-32 in base 62. It catches typing errors and is no protection against forgery. */
function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_CHARACTERS);
}

const anySecret = new RegExp(SECRET_PATTERN);
const everySecret = new RegExp(SECRET_PATTERN, 'g');

export const NO_ADMIN_KEY_RULE = 'must not contain an admin key';

export function containsAdminKey(text: string): boolean {
  return text.includes('-admin01-') && anySecret.test(text); // the substring test is much faster and rarely matches
}

/** Replaces every admin key in the text. */
export function redactAdminKeys(text: string): string {
  return containsAdminKey(text) ? text.replace(everySecret, REDACTED) : text;
}
