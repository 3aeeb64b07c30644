import { Refused } from '../../shared/record/faults.ts';

/** The schema of a store, or the one that a release makes. */
export interface Schema {
  /** The number of migrations applied. */
  readonly version: number;
  /** The oldest schema whose release can go on using this one. The release of this one can read that one. */
  readonly usableFrom: number;
  /** Of the steps that made it, in their order. */
  readonly digests: readonly string[];
}

/** That of a store, whose version is 0 where there is none yet, and that of the release which looks at it. */
export interface Schemas {
  readonly store: Schema;
  readonly release: Schema;
}

export const NO_SCHEMA: Schema = { version: 0, usableFrom: 0, digests: [] };

/**
 * A release reads the schema before its own, so that its processes can start before a migration. It writes its own or a newer one,
 * migrates any older one, and copies a file whatever its schema, as a backup comes before a migration.
 */
export type SchemaUse = 'copy' | 'read' | 'write' | 'migrate';

/** Whether a release can use a store: what it says itself of an older schema, and what the store says of an older release. */
export function isUsable(store: Schema, release: Schema, use: SchemaUse): boolean {
  if (use === 'copy') return store.version > 0;
  if (!hasSameSteps(store, release)) return false;
  if (store.version > release.version) return release.version >= store.usableFrom;
  return store.version >= { read: release.usableFrom, write: release.version, migrate: 0 }[use];
}

/** Whether those that both have are the same ones. Until 0.1.0 is released its step may change. */
function hasSameSteps({ version, digests }: Schema, release: Schema): boolean {
  return release.digests.slice(0, version).every((digest, index) => digest === digests[index]);
}

/** Whether the release that made a store can't use it any more after the migration of this one. */
export function endsOlderReleases({ store, release }: Schemas): boolean {
  const isMigrated = store.version > 0 && isUsable(store, release, 'migrate');
  return isMigrated && !isUsable(store, release, 'read');
}

/** What to do where it does. */
export const STOP_OLDER_RELEASES =
  'stop every process of an older release, as none can use the store after the migration; then run "keyroster migrate --stopped"';

/** Why a release can't use a store. */
export function unusableSchema(name: string, store: Schema, release: Schema): Refused {
  const { version, usableFrom } = release;
  if (!hasSameSteps(store, release))
    return new Refused(
      `database: the schema of ${name} is not of a release, but of another commit: with that commit export its API keys; then make a new store with this one and import them there`,
    );
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

/** What a migration that failed has done. */
export const DOES_THE_REST =
  'earlier steps are done, if there were any: run "keyroster migrate" again, which does the rest';

/** What `migrate --plan` says of the migrations that a store lacks. */
export function plannedMigrations(store: number, release: number): string[] {
  return Array.from({ length: Math.max(0, release - store) }, (_, index) => `migration ${store + index + 1}`);
}

/** The schema after these migrations. */
export function schemaAfter<Migration extends { readonly usableFrom: number | null }>(
  migrations: readonly Migration[],
  digestOf: (migration: Migration) => string,
): Schema {
  const version = migrations.length;
  return {
    version,
    usableFrom: migrations.at(-1)?.usableFrom ?? version,
    digests: migrations.map(digestOf),
  };
}

/** What a migration tells while it runs, each as a person reads it. */
export interface MigrationListener {
  /** That it waits, and for whom. */
  readonly onWaiting: (message: string) => void;
  /** What is done next to a table with rows, and what that means meanwhile. */
  readonly onStep: (what: string) => void;
}
