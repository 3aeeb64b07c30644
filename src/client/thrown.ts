/** A field of what was thrown. That may be anything: reading it may throw again, and that error may have the admin key. */
export function fieldOf(thrown: unknown, field: string): unknown {
  try {
    return Object(thrown)[field];
  } catch {
    return undefined;
  }
}
