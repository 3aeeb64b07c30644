/** A word of a header that is shorter than this is no credential that could be used. */
const MIN_LENGTH = 8;

/**
 * What may be logged of an error that another's code has thrown: its name, message and stack, with the words of these headers
 * masked. Its other properties may hold a whole request.
 */
export function withoutCredentials(error: unknown, headers: Headers, names: readonly string[]): Error {
  const values = names.map(name => headers.get(name) ?? '');
  const words = values.flatMap(value => [value, ...value.split(/[\s,;=]+/)]);
  const credentials = words.filter(word => word.length >= MIN_LENGTH).sort((a, b) => b.length - a.length);
  const masked = (text: string) =>
    credentials.reduce((rest, credential) => rest.replaceAll(credential, '[credential]'), text);
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return Object.assign(new Error(masked(message)), { name: masked(name), stack: masked(stack ?? '') });
}
