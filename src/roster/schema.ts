import { Refused } from './errors.ts';

/** The schema of a store, or the one that a release makes. */
export interface Schema {
  /** The number of migrations applied. */
  readonly version: number;
  /** The oldest schema whose release can go on using this one. The release of this one can read that one. */
  readonly usableFrom: number;
}

/** That of a store, whose version is 0 where there is none yet, and that of the release which looks at it. */
export interface Schemas {
  readonly store: Schema;
  readonly release: Schema;
}

/**
 * A release reads the schema before its own, so that its processes can start before a migration. It writes its own or a newer one,
 * and copies a file whatever its schema, as a backup comes before a migration.
 */
export type SchemaUse = 'copy' | 'read' | 'write';

/** Whether a release can use a store: what it says itself of an older schema, and what the store says of an older release. */
export function isUsable(store: Schema, release: Schema, use: SchemaUse): boolean {
  if (use === 'copy') return store.version > 0;
  if (store.version > release.version) return release.version >= store.usableFrom;
  return store.version >= (use === 'read' ? release.usableFrom : release.version);
}

/** Why a release can't use a store. */
export function unusableSchema(name: string, store: Schema, release: Schema): Refused {
  const { version, usableFrom } = release;
  if (store.version > version)
    return new Refused(
      `database: the schema of ${name} is of a newer release (${store.version}, this one knows ${version}): update keyroster`,
    );
  const uses =
    usableFrom === version
      ? `reads only ${version}`
      : `reads ${usableFrom} to ${version}, and writes ${version}`;
  return new Refused(
    `database: the schema of ${name} is of an older release: run "keyroster migrate", which brings it from ${store.version} to ${version}; this release ${uses}`,
  );
}

/** The schema after these migrations. */
export function schemaAfter(migrations: readonly { readonly usableFrom: number | null }[]): Schema {
  const version = migrations.length;
  return { version, usableFrom: migrations.at(-1)?.usableFrom ?? version };
}
