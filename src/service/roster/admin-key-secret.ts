import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from '../../shared/record/identifier.ts';
import {
  ADMIN_KEY_PATTERN,
  CHECKSUM_CHARACTERS,
  RANDOM_CHARACTERS,
  REDACTED,
} from '../../shared/record/redact-admin-keys.ts';
import type { Vendor } from '../../shared/record/vendor.ts';

const LAST_CHARACTERS = 4;
const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

const wholeSecret = new RegExp(`^(?=.{1,128}$)${ADMIN_KEY_PATTERN}$`);

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

  // Not `inspect.custom`: who mounts the library needs no types of Node for it.
  [INSPECT](): string {
    return REDACTED;
  }
}

/** CRC-32 in base 62. It catches typing errors and is no protection against forgery. */
function checksum(body: string): string {
  return toBase62(crc32(body), CHECKSUM_CHARACTERS);
}
