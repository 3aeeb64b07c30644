import { parseTimestamp } from '../../shared/record/timestamp.ts';

export const API_VERSION_RULE = 'must be dates, each YYYY-MM-DD';

/** A version of the API is named by a date, `YYYY-MM-DD`. */
export type ApiVersion = string & { readonly kind: 'ApiVersion' };

export function parseApiVersion(text: unknown): ApiVersion | undefined {
  const isDay = typeof text === 'string' && parseTimestamp(`${text}T00:00:00Z`) !== undefined;
  return isDay ? (text as ApiVersion) : undefined;
}

/** `undefined` unless all of them are versions. */
export function parseApiVersions(texts: readonly unknown[]): readonly ApiVersion[] | undefined {
  const versions = texts.flatMap(text => parseApiVersion(text) ?? []);
  return versions.length === texts.length ? versions : undefined;
}
