import type { Client } from 'pg';
import { Refused } from '../../../shared/record/faults.ts';
import type { Actor } from '../../roster/actor.ts';
import {
  DOES_THE_REST,
  type MigrationListener,
  plannedMigrations,
  type Schemas,
} from '../../roster/schema.ts';
import { openClient } from '../connecting/connection.ts';
import { requireOwnSchema } from '../connecting/trusted-schema.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { distribute } from '../distribution/distribute.ts';
import { citusState } from '../distribution/state.ts';
import { lineOf, stepsToDistribute } from '../distribution/steps.ts';
import { withClient } from '../operator-connection.ts';
import { applyMigration } from './apply-migration.ts';
import { takeMigrationLock } from './migration-lock.ts';
import { migrations, ownSchema, schemaOf, schemaVersion } from './schema.ts';

/**
 * Applies the migrations that this database lacks, each in its transaction. Two processes may run this at once: the second
 * waits and has nothing left to apply; `onWaiting` is told when that takes long, or when a lock of a table isn't free. Records
 * each in the audit log. Then it distributes the tables where there is Citus. Returns the number of migrations applied.
 */
export function migrate(
  url: PostgresUrl,
  actor: Actor,
  { onWaiting, onStep }: MigrationListener = { onWaiting: () => {}, onStep: () => {} },
): Promise<number> {
  const work = async (client: Client) => {
    await requireUtf8(client);
    await requireOwnSchema(client);
    await takeMigrationLock(client, holder => onWaiting(`waiting for ${holder}`));
    const version = await schemaVersion(client);
    for (const [index, migration] of migrations.slice(version).entries()) {
      const number = version + index + 1;
      const application = { actor, number, migration, isNew: version === 0 };
      await applyMigration(client, onWaiting, application);
    }
    await distribute(client, onWaiting, onStep);
    return Math.max(0, migrations.length - version);
  };
  return withClient(openClient(url), work, DOES_THE_REST);
}

/** What `migrate` would do now, a line each. Only reads. Throws `Refused`. */
export function planMigration(url: PostgresUrl): Promise<readonly string[]> {
  return withClient(openClient(url), async client => {
    await client.query('SET default_transaction_read_only = on');
    const version = await schemaVersion(client);
    const state = version === 0 ? null : await citusState(client);
    return [
      ...plannedMigrations(version, migrations.length),
      ...(state ? stepsToDistribute(state).map(lineOf) : []),
    ];
  });
}

/** The schemas of the database and of this release. Only reads. */
export async function schemasOf(url: PostgresUrl): Promise<Schemas> {
  return { store: await withClient(openClient(url), schemaOf), release: ownSchema() };
}

/** In another encoding some names can't be stored, or are stored as bytes that nothing checks. */
async function requireUtf8(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8')
    throw new Refused(
      `database: its encoding is ${encoding}, which can't store every name: create it with ENCODING 'UTF8' TEMPLATE template0`,
    );
}
