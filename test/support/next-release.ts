/**
 * The release after this one, which has two migrations more: they add a column and an index to the API keys. Over PostgreSQL the
 * first one changes the organizations before, which issuers lock after the API keys.
 */
import {
  migrations as ofPostgres,
  type Migration as PostgresMigration,
} from '../../src/service/postgres/migrations/schema.ts';
import {
  migrations as ofSqlite,
  type Migration as SqliteMigration,
} from '../../src/service/sqlite/migrations/schema.ts';

/** For processes that are of the next release: `node --import`. */
export const NEXT_RELEASE = {
  NODE_OPTIONS: `--import ${new URL('./become-next-release.ts', import.meta.url)}`,
} as const;

/** The same for the release after that. */
export const SECOND_NEXT_RELEASE = {
  NODE_OPTIONS: `${NEXT_RELEASE.NODE_OPTIONS} ${NEXT_RELEASE.NODE_OPTIONS}?again`,
} as const;

/** Makes this process one of the next release. Called again, of the one after that. Returns what takes it back. */
export function becomeNextRelease(): () => void {
  const next = stepsAfter(ofSqlite.length);
  const takeBack = [append(ofSqlite, next.sqlite), append(ofPostgres, next.postgres)];
  return () => {
    for (const each of takeBack) each();
  };
}

/** Those of the release after one that has so many. */
export function stepsAfter(usableFrom: number): {
  readonly sqlite: readonly SqliteMigration[];
  readonly postgres: readonly PostgresMigration[];
} {
  const column = `note_${usableFrom}`;
  return {
    sqlite: [
      { sql: `ALTER TABLE api_keys ADD COLUMN ${column} TEXT`, usableFrom },
      {
        sql: `CREATE INDEX api_keys_${column} ON api_keys (organization, ${column}, created_at, id)`,
        usableFrom,
      },
    ],
    postgres: [
      {
        statements: ['organizations', 'api_keys'].map(
          table => `ALTER TABLE keyroster.${table} ADD COLUMN ${column} text`,
        ),
        usableFrom,
      },
      { concurrently: [indexConcurrently(column)], statements: [], usableFrom },
    ],
  };
}

const indexConcurrently = (column: string) =>
  `CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_${column} ON keyroster.api_keys (organization_id, ${column}, created_at, id)`;

function append<Step>(migrations: readonly Step[], more: readonly Step[]): () => void {
  const { length } = migrations;
  (migrations as Step[]).push(...more);
  return () => void (migrations as Step[]).splice(length);
}
