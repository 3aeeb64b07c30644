/** What another's code returns, or this error when that takes longer. */
export async function within<T>(ms: number, call: () => T | Promise<T>, tooLong: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong()), ms);
  });
  try {
    return await Promise.race([call(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** What a text has in common with a request in so many characters may be a part of a credential. Less is of no use. */
const MIN_LENGTH = 8;
/** Of a text that is longer only the beginning is logged. */
const MAX_LENGTH = 8_192;
/** Node takes half of it by default. To mask so much takes about 10 ms. */
const MAX_REQUEST_LENGTH = 32_768;

/**
 * What may be logged of an error that another's code has thrown: its name, message and stack, with what these texts of a request
 * have in common with them masked. Its other properties may hold a whole request, or throw when they are read.
 */
export function withoutCredentials(error: unknown, requestTexts: readonly string[]): Error {
  if (requestTexts.join('').length > MAX_REQUEST_LENGTH)
    return new Error('not logged, as the request is too large to mask what it had of it');
  const parts = partsOf(requestTexts);
  const { name, message, stack } = textsOf(error);
  const plain = new Error(masked(message, parts));
  return Object.assign(plain, { name: masked(name, parts), stack: masked(stack, parts) });
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

/** All parts of `MIN_LENGTH` characters: a credential is found by them also when it is cut. */
function partsOf(texts: readonly string[]): ReadonlySet<string> {
  const parts = new Set<string>();
  for (const form of new Set(texts.flatMap(formsOf)))
    for (let end = MIN_LENGTH; end <= form.length; end++) parts.add(form.slice(end - MIN_LENGTH, end));
  return parts;
}

/** The text, and what code usually makes of it. */
function formsOf(text: string): string[] {
  const once = percentDecoded(text);
  const texts = [text, once, percentDecoded(once)];
  const words = new Set(texts.flatMap(each => each.split(/[\s,;:.="'?&]+/)));
  const decoded = [...words].map(word => Buffer.from(word, 'base64').toString());
  return [...texts, ...decoded].flatMap(form => [form, JSON.stringify(form).slice(1, -1)]);
}

/** As forms and addresses are written. What is no percent-encoding stays. */
function percentDecoded(text: string): string {
  const escaped = /(?:%[0-9a-f]{2})+/gi;
  return text
    .replaceAll('+', ' ')
    .replace(escaped, bytes => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString());
}

function masked(whole: string, parts: ReadonlySet<string>): string {
  const text = whole.slice(0, MAX_LENGTH);
  let shown = '';
  let maskedTo = -1;
  for (let at = 0; at < text.length; at++) {
    if (parts.has(text.slice(at, at + MIN_LENGTH))) {
      if (at > maskedTo) shown += '[credential]';
      maskedTo = at + MIN_LENGTH;
    } else if (at >= maskedTo) shown += text[at];
  }
  return shown;
}
