/** Of a text that is longer only the beginning is logged. */
const MAX_LENGTH = 8_192;

/**
 * What may be logged of an error that another's code has thrown. Its other properties may hold a whole request, or throw when they
 * are read.
 */
export function plainError(thrown: unknown): Error {
  const { name, message, stack } = textsOf(thrown);
  return Object.assign(new Error(message), { name, stack });
}

/**
 * The same of code that had a credential, which may be in the message, and in the stack's copy of it: only what the error is called
 * and where it was thrown.
 */
export function placeOfError(thrown: unknown): Error {
  const { name, code, message, stack } = textsOf(thrown);
  const behindMessage = stack.slice(stack.lastIndexOf(message) + message.length);
  const frames = stack.includes(message) ? behindMessage.split('\n').filter(line => /^ +at /.test(line)) : [];
  const known = [ERROR_NAME.test(name) ? name : '', ERROR_CODE.test(code) ? code : ''];
  const words = known.filter(Boolean).join(' ') || 'Error';
  return Object.assign(new Error('its message is not logged'), { name: words, stack: frames.join('\n') });
}

/** A credential ends in no such word. */
const ERROR_NAME = /^[A-Za-z]{0,40}(Error|Exception|Unavailable)$/;
/** As Node's, such as `ECONNREFUSED`, or PostgreSQL's of five characters: a credential has other characters too, or more in a row. */
const ERROR_CODE = /^([A-Z]{1,16}(_[A-Z]{1,16}){0,6}|[0-9A-Z]{5})$/;

function textsOf(thrown: unknown): Record<'name' | 'code' | 'message' | 'stack', string> {
  const error = readable(() => (thrown instanceof Error ? thrown : new Error(String(thrown))));
  const text = (field: 'name' | 'code' | 'message' | 'stack') =>
    readable(() => String((error as NodeJS.ErrnoException)[field] ?? '').slice(0, MAX_LENGTH));
  const message = text('message') ?? 'an error that can not be read';
  return { name: text('name') ?? 'Error', code: text('code') ?? '', message, stack: text('stack') ?? '' };
}

/** `undefined` where another's value throws when it is read. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
