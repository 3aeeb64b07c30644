import type { Client } from 'pg';
import type { AdminKey } from '../roster/admin-key.ts';
import { type AdminKeyCopies, copiesOf } from '../roster/given-admin-key.ts';
import { adminKeyRows, insertAdminKeys } from './admin-keys.ts';
import { type AdminKeyRow, adminKeyOf, SELECT_ADMIN_KEY } from './find-admin-key.ts';
import { requireWritable } from './organizations.ts';
import { idArray } from './statements.ts';

export async function copyAdminKeys(client: Client, keys: readonly AdminKey[]): Promise<AdminKeyCopies> {
  for (const organization of new Set(keys.map(({ organizationId }) => organizationId)))
    await requireWritable(client, organization);
  const text = `${SELECT_ADMIN_KEY} WHERE id IN (SELECT unnest($1::text::text[])) ORDER BY id FOR UPDATE`;
  const values = [idArray(keys.map(({ id }) => id))];
  const { rows } = await client.query<AdminKeyRow>({ text, values, rowMode: 'array' });
  const copies = copiesOf(keys, new Map(rows.map(adminKeyOf).map(key => [key.id, key])));
  await insertAdminKeys(client, copies.created);
  await client.query(UPDATE, [JSON.stringify(adminKeyRows(copies.updated))]);
  return copies;
}

const UPDATE = `
  UPDATE keyroster.admin_keys AS stored
  SET expires_at = copied.expires, revoked_at = copied.revoked, replaced_by = copied.replacement, last_used_on = copied.used
  FROM json_to_recordset($1::text::json)
    AS copied (id text, expires timestamptz, revoked timestamptz, replacement text, used date)
  WHERE stored.id = copied.id`;
