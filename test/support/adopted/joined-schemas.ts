/** Tables of API keys whose organization another table has, as public projects make them, and who writes to them. */

import type { MappingFile } from './vendor-table.ts';

export interface JoinedSchema {
  readonly project: string;
  readonly sql: string;
  readonly mapping: MappingFile;
  /** The organization of each key, by a plain join. */
  readonly plain: string;
  /** What its application does, with `r(n)`, a random number below `n`. */
  readonly writes: readonly string[];
}

const R = (n: number) => `(1 + floor(random() * ${n}))::int`;

export const langfuse: JoinedSchema = {
  project: 'Langfuse',
  sql: `CREATE TABLE organizations (id text PRIMARY KEY, name text NOT NULL);
    CREATE TABLE projects (id text PRIMARY KEY, name text NOT NULL, org_id text NOT NULL REFERENCES organizations ON UPDATE CASCADE ON DELETE CASCADE);
    CREATE TABLE api_keys (id text PRIMARY KEY, created_at timestamp(3) NOT NULL DEFAULT now(), note text, public_key text NOT NULL,
      hashed_secret_key text NOT NULL, display_secret_key text NOT NULL, last_used_at timestamp(3), expires_at timestamp(3),
      project_id text NOT NULL REFERENCES projects ON UPDATE CASCADE ON DELETE CASCADE);
    CREATE INDEX ON api_keys (project_id);
    INSERT INTO organizations SELECT 'org' || i, 'Org' FROM generate_series(1, 4) AS i;
    INSERT INTO projects SELECT 'p' || i, 'Project', 'org' || 1 + i % 4 FROM generate_series(1, 12) AS i;
    INSERT INTO api_keys (id, public_key, hashed_secret_key, display_secret_key, project_id)
      SELECT 'k' || i, 'pk', md5(i::text), 'sk-lf-...' || lpad(i::text, 4, '0'), 'p' || 1 + i % 12 FROM generate_series(1, 3000) AS i`,
  mapping: {
    table: 'public.api_keys',
    fields: {
      organization_id: {
        joins: [{ from: 'project_id', table: 'public.projects', key: 'id', column: 'org_id' }],
      },
      id: { column: 'id' },
      name: { sql: "coalesce(note, '')" },
      created_at: { sql: "created_at AT TIME ZONE 'UTC'" },
      created_by_id: { constant: 'unknown' },
      created_by_type: { constant: 'user' },
      partial_key_hint: { column: 'display_secret_key' },
      status: { constant: 'active' },
      workspace_id: { column: 'project_id' },
    },
    filters: ['workspace_id'],
  },
  plain: 'SELECT k.id, p.org_id AS organization FROM api_keys k JOIN projects p ON p.id = k.project_id',
  writes: [
    `INSERT INTO api_keys (id, public_key, hashed_secret_key, display_secret_key, project_id) SELECT gen_random_uuid(), 'pk', md5(random()::text),
       'sk-lf-...abcd', id FROM projects ORDER BY random() LIMIT 1`,
    `UPDATE api_keys SET project_id = (SELECT id FROM projects ORDER BY random() LIMIT 1) WHERE id = 'k' || ${R(3000)}`,
    `UPDATE projects SET org_id = 'org' || ${R(4)} WHERE id = 'p' || ${R(12)}`,
    `UPDATE projects SET name = name WHERE id = 'p' || ${R(12)}`,
    `UPDATE projects SET id = 'q' || id, org_id = 'org' || ${R(4)} WHERE id = 'p' || ${R(12)}`,
    `UPDATE projects SET id = right(id, -1) WHERE id LIKE 'q%'`,
    `DELETE FROM api_keys WHERE id = 'k' || ${R(3000)}`,
    `INSERT INTO projects VALUES ('new' || (random() * 1e6)::int, 'New', 'org1')`,
    `DELETE FROM projects WHERE id = (SELECT id FROM projects WHERE id LIKE 'new%' LIMIT 1)`,
    `UPDATE api_keys SET last_used_at = now() WHERE id = 'k' || ${R(3000)}`,
  ],
};

/** An owner of two kinds, without a foreign key, as Rails makes it: teams and users have a tenant, and some have none. */
export const polymorphic: JoinedSchema = {
  project: 'Rails',
  sql: `CREATE TABLE teams (id bigserial PRIMARY KEY, tenant_id bigint);
    CREATE TABLE users (id bigserial PRIMARY KEY, tenant_id bigint, email text);
    CREATE TABLE api_keys (id bigserial PRIMARY KEY, owner_type varchar NOT NULL, owner_id bigint NOT NULL, name varchar NOT NULL,
      token_digest varchar NOT NULL, token_prefix varchar NOT NULL, revoked_at timestamptz, created_at timestamptz NOT NULL DEFAULT now());
    INSERT INTO teams SELECT i, 1 + i % 3 FROM generate_series(1, 12) AS i;
    INSERT INTO users SELECT i, 10 + i % 3, 'u' FROM generate_series(1, 12) AS i;
    INSERT INTO api_keys SELECT i, CASE WHEN i % 2 = 0 THEN 'Team' ELSE 'User' END, 1 + i % 14, 'Key', md5(i::text), 'sk_' || i % 10
      FROM generate_series(1, 3000) AS i; SELECT setval('api_keys_id_seq', 3000)`,
  mapping: {
    table: 'public.api_keys',
    fields: {
      organization_id: {
        joins: ['Team', 'User'].map(kind => ({
          ...{ from: 'owner_id', table: `public.${kind.toLowerCase()}s`, key: 'id', column: 'tenant_id' },
          when: { owner_type: kind },
        })),
        unlisted: true,
      },
      id: { column: 'id' },
      name: { column: 'name' },
      created_at: { column: 'created_at' },
      created_by_id: { column: 'owner_id' },
      created_by_type: { constant: 'user' },
      partial_key_hint: { sql: "token_prefix || '...____'" },
      status: { sql: "CASE WHEN revoked_at IS NULL THEN 'active' ELSE 'archived' END" },
      workspace_id: { constant: null },
    },
    filters: ['status'],
  },
  plain: `SELECT k.id::text, coalesce(t.tenant_id, u.tenant_id)::text AS organization FROM api_keys k
    LEFT JOIN teams t ON t.id = k.owner_id AND k.owner_type = 'Team' LEFT JOIN users u ON u.id = k.owner_id AND k.owner_type = 'User'
    WHERE coalesce(t.tenant_id, u.tenant_id) IS NOT NULL`,
  writes: [
    `INSERT INTO api_keys (owner_type, owner_id, name, token_digest, token_prefix) VALUES ('Team', ${R(13)}, 'Key', md5(random()::text), 'sk')`,
    `INSERT INTO api_keys (owner_type, owner_id, name, token_digest, token_prefix) VALUES ('User', ${R(13)}, 'Key', md5(random()::text), 'sk')`,
    `UPDATE api_keys SET owner_type = 'User' WHERE id = ${R(3000)}`,
    `UPDATE api_keys SET owner_type = 'Team', owner_id = ${R(12)} WHERE id = ${R(3000)}`,
    `UPDATE teams SET tenant_id = ${R(5)} WHERE id = ${R(12)}`,
    `UPDATE teams SET tenant_id = NULL WHERE id = ${R(12)}`,
    `UPDATE users SET tenant_id = ${R(5)} WHERE id = ${R(12)}`,
    `UPDATE users SET email = 'v' WHERE id = ${R(12)}`,
    `DELETE FROM users WHERE id = ${R(24)}`,
    `DELETE FROM api_keys WHERE id = ${R(3000)}`,
    `UPDATE api_keys SET revoked_at = now() WHERE id = ${R(3000)}`,
  ],
};

export const joinedSchemas: readonly JoinedSchema[] = [langfuse, polymorphic];
