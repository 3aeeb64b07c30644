/** A word of a header that is shorter than this is no credential that could be used. */
const MIN_LENGTH = 8;
/** Of a text that is longer only the beginning is logged. */
const MAX_LENGTH = 8_192;

/**
 * What may be logged of an error that another's code has thrown: its name, message and stack, with these credentials masked. Its
 * other properties may hold a whole request, or throw when they are read.
 */
export function withoutCredentials(error: unknown, credentials: readonly string[]): Error {
  const masked = (text: string) =>
    credentials.reduce(
      (rest, credential) => rest.replaceAll(credential, '[credential]'),
      text.slice(0, 2 * MAX_LENGTH),
    );
  const { name, message, stack } = textsOf(error);
  const plain = new Error(masked(message).slice(0, MAX_LENGTH));
  return Object.assign(plain, { name: masked(name), stack: masked(stack).slice(0, MAX_LENGTH) });
}

function textsOf(error: unknown): { name: string; message: string; stack: string } {
  try {
    const {
      name = 'Error',
      message = '',
      stack = '',
    } = error instanceof Error ? error : new Error(String(error));
    return { name: String(name), message: String(message), stack: String(stack) };
  } catch {
    return { name: 'Error', message: 'an error that can not be read', stack: '' };
  }
}

/** What in these headers may be a credential: their words, and what code usually makes of them. The longest first. */
export function credentialsIn(headers: Headers, names: readonly string[]): string[] {
  const values = names.map(name => headers.get(name) ?? '');
  const words = values.flatMap(value => [value, ...value.split(/[\s,;="']+/)]);
  const decoded = words.flatMap(word => [word, percentDecoded(word), Buffer.from(word, 'base64').toString()]);
  const parts = decoded.flatMap(word => [word, JSON.stringify(word).slice(1, -1), ...word.split(/[:.]/)]);
  const long = parts.filter(part => part.length >= MIN_LENGTH);
  return [...new Set(long)].sort((a, b) => b.length - a.length);
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
