import type { Client } from 'pg';
import type { Actor } from '../roster/actor.ts';
import { Refused } from '../roster/errors.ts';
import type { MigrationListener } from '../roster/migration-listener.ts';
import { applyMigration } from './apply-migration.ts';
import { continueNumbers } from './audit-log-numbers.ts';
import type { PostgresUrl } from './connecting/url.ts';
import { openClient } from './connection.ts';
import { distribute } from './distribution/distribute.ts';
import { orRefused, RUN_AGAIN } from './errors.ts';
import { LockWatch, takeMigrationLock } from './lock-watch.ts';
import { migrations } from './schema.ts';
import { schemaVersion } from './schema-version.ts';

/**
 * Applies the migrations that this database lacks, each in its transaction. Two processes may run this at once: the second
 * waits and has nothing left to apply; `onWaiting` is told when that takes long, or when a lock of a table isn't free. Records
 * each in the audit log. Before that it lets the audit log go on behind its last number. Then it distributes the tables where there
 * is Citus. Returns the number of migrations applied.
 */
export async function migrate(
  url: PostgresUrl,
  actor: Actor,
  { onWaiting, onStep }: MigrationListener = { onWaiting: () => {}, onStep: () => {} },
): Promise<number> {
  const client = await openClient(url);
  const watching = await openClient(url);
  const waiting = { watch: new LockWatch(watching), onWaiting };
  const done = new Set<string>();
  try {
    const work = async () => {
      await requireUtf8(client);
      await takeMigrationLock(client, holder => onWaiting(`waiting for ${holder}`));
      const version = await schemaVersion(client);
      await continueNumbers(client, waiting, onStep); // a migration writes an entry
      for (const [index, migration] of migrations.slice(version).entries()) {
        const number = version + index + 1;
        const application = { actor, number, migration, done, isNew: version === 0 };
        await applyMigration(client, waiting, application);
      }
      await distribute(client, waiting, { onStep, done });
      return Math.max(0, migrations.length - version);
    };
    return await orRefused(work, RUN_AGAIN, () => outcomeOf(done));
  } finally {
    await client.end();
    await watching.end();
  }
}

function outcomeOf(done: ReadonlySet<string>): string {
  if (done.size === 0) return 'nothing was changed';
  return `done already: ${[...done].join('; ')}; run "keyroster migrate" again, which does the rest`;
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
