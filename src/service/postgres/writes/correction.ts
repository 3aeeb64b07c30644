import type { Client } from 'pg';
import { Refused } from '../../../shared/record/faults.ts';

const TABLES = { 'imports revert': 'api_keys', 'organizations delete': 'organizations' } as const;

/** Without the first, the second would hold on the coordinator of Citus alone. PostgreSQL without Citus ignores it. */
const SETTINGS = ["citus.propagate_set_commands = 'local'", "keyroster.correcting = 'on'"];

/** Throws `Refused` when the role may not delete what the command deletes. The triggers would refuse it too, without the advice. */
export async function requireDeleteRight(client: Client, command: keyof typeof TABLES): Promise<void> {
  const { rows } = await client.query<{ may: string }>(
    `SELECT has_table_privilege('keyroster.${TABLES[command]}', 'DELETE')::text AS may`,
  );
  if (rows[0]?.may !== 'true')
    throw new Refused(
      `${command}: this role of PostgreSQL may not delete: take keyroster_operator (docs/postgresql.md#roles)`,
    );
}

/** The triggers of the tables let the rest of the transaction delete rows, and bring archived keys back. */
export async function allowCorrections(client: Client): Promise<void> {
  for (const setting of SETTINGS) await client.query(`SET LOCAL ${setting}`);
}
