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
  const number = ofSqlite.length;
  const takeBack = [
    append<SqliteMigration>(ofSqlite, [
      { sql: `ALTER TABLE api_keys ADD COLUMN note_${number} TEXT` },
      {
        sql: `CREATE INDEX api_keys_note_${number} ON api_keys (organization, note_${number}, created_at, id)`,
      },
    ]),
    append<PostgresMigration>(ofPostgres, [
      {
        statements: ['organizations', 'api_keys'].map(
          table => `ALTER TABLE keyroster.${table} ADD COLUMN note_${number} text`,
        ),
      },
      { concurrently: [indexConcurrently(`note_${number}`)], statements: [] },
    ]),
  ];
  return () => {
    for (const each of takeBack) each();
  };
}

const indexConcurrently = (column: string) =>
  `CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_${column} ON keyroster.api_keys (organization_id, ${column}, created_at, id)`;

/** The release before these goes on over all of them. */
function append<Step extends { readonly usableFrom: number | null }>(
  migrations: readonly Step[],
  more: readonly Omit<Step, 'usableFrom'>[],
): () => void {
  const { length: usableFrom } = migrations;
  const steps = migrations as Step[];
  for (const step of more) steps.push({ ...step, usableFrom } as Step);
  return () => void steps.splice(usableFrom);
}
