/** Whoever owns the schema can replace what is in it, and so have code run by those who use it. */
import type { Client } from 'pg';
import { Refused } from '../../../shared/record/faults.ts';

const OWNER = `
  SELECT nspowner::regrole::text AS owner, (nspowner = current_user::regrole)::text AS is_own,
    pg_has_role(nspowner, 'USAGE')::text AS may, current_setting('is_superuser') AS superuser
  FROM pg_namespace WHERE nspname = 'keyroster'`;

/** Only PostgreSQL's own tables are read. Throws `Refused` for a superuser who isn't the owner. */
export async function requireTrustedSchema(client: Client): Promise<void> {
  const schema = await ownerOf(client);
  if (schema?.superuser === 'on' && schema.is_own === 'false')
    throw new Refused(`database: ${belongsTo(schema.owner)}, and a superuser would run that role's code`);
}

/** Throws `Refused` where somebody else made the schema before. */
export async function requireOwnSchema(client: Client): Promise<void> {
  const schema = await ownerOf(client);
  if (schema?.may === 'false') throw new Refused(`database: ${belongsTo(schema.owner)}, or drop the schema`);
}

const belongsTo = (owner: string) =>
  `the schema keyroster belongs to the role ${owner}: connect as that role`;

async function ownerOf(client: Client) {
  type Row = Readonly<Record<'owner' | 'is_own' | 'may' | 'superuser', string>>;
  const { rows } = await client.query<Row>(OWNER);
  return rows[0];
}
