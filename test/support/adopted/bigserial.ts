import { randomInt } from 'node:crypto';
import { runSql } from '../run-sql.ts';
import { digestOf, timeOf, type VendorTable } from './vendor-table.ts';

const SQL = `
  CREATE TABLE public.access_keys (
    id bigserial PRIMARY KEY,
    account varchar(64) NOT NULL,
    project varchar(64),
    label text NOT NULL,
    masked varchar(64) NOT NULL,
    key_sha256 text NOT NULL,
    active boolean DEFAULT true,
    made_by varchar(128) NOT NULL,
    made_by_robot boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    last_used_at timestamptz,
    last_used_ip text
  );
  CREATE UNIQUE INDEX ON public.access_keys (key_sha256)`;

/** `NULL` in `active` is what this vendor calls deleted. */
export const bigserial: VendorTable = {
  name: 'bigserial ID, active boolean, timestamptz',
  create: async url => void (await runSql(url, SQL)),
  mapping: {
    table: 'public.access_keys',
    fields: {
      organization_id: { column: 'account' },
      id: { column: 'id' },
      name: { column: 'label' },
      created_at: { column: 'created_at' },
      created_by_id: { column: 'made_by' },
      created_by_type: { sql: "CASE WHEN made_by_robot THEN 'service_account' ELSE 'user' END" },
      partial_key_hint: { column: 'masked' },
      status: { column: 'active', values: { active: [true], inactive: [false], archived: [null] } },
      workspace_id: { column: 'project' },
    },
    filters: ['status', 'workspace_id', 'created_by_user_id'],
  },
  primaryKey: ['id'],
  row: (account, key) => ({
    id: key.id,
    account,
    project: key.workspaceId,
    label: key.name,
    masked: key.partialKeyHint,
    key_sha256: digestOf(key.id),
    active: { active: true, inactive: false, archived: null }[key.status],
    made_by: key.createdBy.id,
    made_by_robot: key.createdBy.type === 'service_account',
    created_at: timeOf(key.createdAt),
  }),
  newId: () => String(randomInt(1, 2 ** 40)),
  unmapped: ['key_sha256', 'last_used_ip'],
  tick: 1n,
};
