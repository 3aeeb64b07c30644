/**
 * The name of a field or a parameter as a message may repeat it. Where a name should stand, a secret may have been
 * put; one that looks like no name isn't repeated: too long, or with more digits than names have.
 */
export function printableName(name: string): string {
  return /^(?!(?:.*\d){3})[A-Za-z_][A-Za-z0-9_.[\]-]{0,31}$/.test(name) ? name : '(unprintable)';
}
