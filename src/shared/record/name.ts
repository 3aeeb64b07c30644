/** In Unicode code points. */
const MAX_NAME_LENGTH = 1000;
export const NAME_RULE = `must be text of at most ${MAX_NAME_LENGTH} characters, without NUL or broken surrogates`;

/** That of an organization or an admin key. */
export const DISPLAY_NAME_RULE = `must not be empty; ${NAME_RULE}`;

export function parseDisplayName(value: unknown): string | undefined {
  return value === '' ? undefined : parseName(value);
}

export function parseName(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2 * MAX_NAME_LENGTH) return undefined;
  const short = [...value].length <= MAX_NAME_LENGTH;
  return short && value.isWellFormed() && !value.includes('\0') ? value : undefined;
}
