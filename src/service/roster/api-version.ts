import { parseTimestamp } from '../../shared/record/timestamp.ts';

export const API_VERSION_RULE = 'must be dates such as 2026-10-21';

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

/** The version whose record tells each workspace by its ID, and what has expired (docs/api.md#version-2026-10-21). */
export const SCOPED_VERSION = '2026-10-21' as ApiVersion;

/** Ends in the name of the option. */
export const NEEDS_DEFAULT_WORKSPACE = `${SCOPED_VERSION} shows the ID of each key's workspace, and a roster doesn't know that of the default workspace: give it in`;
