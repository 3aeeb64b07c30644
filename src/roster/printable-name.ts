/**
 * The name of a field or a parameter, safe to repeat in a message. A caller may have put a secret where a name belongs, so a
 * text that is too long for a name, or has too many digits, isn't repeated.
 */
export function printableName(name: string): string {
  return /^(?!(?:.*\d){3})[$A-Za-z_][A-Za-z0-9_.[\]-]{0,31}$/.test(name) ? name : '(unprintable)';
}
