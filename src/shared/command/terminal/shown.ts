import { REDACTED, redactAdminKeys } from '../../record/redact-admin-keys.ts';

/**
 * Text that may come from anywhere, safe for a person to look at: without an admin key and without control characters.
 * A name, an ID or a message of a service may hold any, and they could move the cursor, or break or reverse the row.
 */
export function shown(text: string): string {
  return printable(withoutAdminKeys(text));
}

/** The same for text of several lines. */
export function shownLines(text: string): string {
  return text.split('\n').map(shown).join('\n');
}

/** A line of JSON that is as safe to look at, and still JSON: admin keys are taken out of its strings before they are escaped. */
export function shownJson(value: unknown): string {
  const json = JSON.stringify(value, (_, each) => (typeof each === 'string' ? withoutAdminKeys(each) : each));
  return printable(json);
}

/** An admin key that is mistyped or cut off, or of a service with another form. The prefix has a bound for speed. */
const similarToAdminKey = /[A-Za-z0-9-]{0,64}-admin01-[\w-]{8,}/g;

/** Shorter ones could be ordinary words. */
const MIN_ADMIN_KEY_LENGTH = 8;
const usedAdminKeys = new Set<string>();

/** Takes this admin key, which another service may have given any form, out of all that is shown from now on, as the formats write it. */
export function neverShow(adminKey: string): string {
  const inHtml = adminKey.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
  const inJson = JSON.stringify(adminKey).slice(1, -1);
  const forms = [adminKey, inHtml, inJson, adminKey.replaceAll('"', '""')];
  if (adminKey.length >= MIN_ADMIN_KEY_LENGTH) for (const form of forms) usedAdminKeys.add(form);
  return adminKey;
}

/** The same for data that is exact otherwise. */
export function withoutUsedAdminKey(text: string): string {
  return [...usedAdminKeys].reduce((rest, key) => rest.replaceAll(key, REDACTED), text);
}

function withoutAdminKeys(text: string): string {
  const redacted = redactAdminKeys(withoutUsedAdminKey(text));
  return redacted.includes('-admin01-') ? redacted.replace(similarToAdminKey, REDACTED) : redacted;
}

/** Escapes control characters, also those that change the direction of text. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, character => {
    const short = JSON.stringify(character).slice(1, -1);
    return short === character ? escaped(character) : short;
  });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
