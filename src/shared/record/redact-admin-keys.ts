import { VENDOR_PATTERN } from './vendor.ts';

/** 43 characters of base 62 hold 256 random bits. Nobody can guess that many, so a fast digest is enough. */
export const RANDOM_CHARACTERS = 43;
export const CHECKSUM_CHARACTERS = 6;

export const ADMIN_KEY_PATTERN = `${VENDOR_PATTERN}-admin01-[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}`;

/** Printed instead of a secret. */
export const REDACTED = '[admin key]';

const anySecret = new RegExp(ADMIN_KEY_PATTERN);
const everySecret = new RegExp(ADMIN_KEY_PATTERN, 'g');

export const NO_ADMIN_KEY_RULE = 'must not contain an admin key';

export function containsAdminKey(text: string): boolean {
  return text.includes('-admin01-') && anySecret.test(text); // the substring test is much faster and rarely matches
}

/** Replaces every admin key in the text. */
export function redactAdminKeys(text: string): string {
  return containsAdminKey(text) ? text.replace(everySecret, REDACTED) : text;
}
