import { randomBytes } from 'node:crypto';
import { runSql } from '../run-sql.ts';
import { digestOf, timeOf, type VendorTable } from './vendor-table.ts';

/** As Prisma makes it; names with capitals have to be quoted. */
const SQL = `
  CREATE SCHEMA "Auth";
  CREATE TYPE "Auth"."ApiKeyStatus" AS ENUM ('ENABLED', 'DISABLED', 'DELETED');
  CREATE TYPE "Auth"."OwnerKind" AS ENUM ('HUMAN', 'BOT');
  CREATE TABLE "Auth"."ApiKey" (
    "id" text NOT NULL,
    "orgId" text NOT NULL,
    "teamId" text,
    "displayName" text NOT NULL,
    "keyHint" text NOT NULL,
    "hashedKey" text NOT NULL,
    "status" "Auth"."ApiKeyStatus" NOT NULL DEFAULT 'ENABLED',
    "ownerId" text NOT NULL,
    "ownerKind" "Auth"."OwnerKind" NOT NULL DEFAULT 'HUMAN',
    "createdAt" timestamp(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "internalNote" text,
    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("orgId", "id")
  )`;

const STATUSES = { active: 'ENABLED', inactive: 'DISABLED', archived: 'DELETED' } as const;

export const mixedCase: VendorTable = {
  name: 'text ID, enum status, timestamp(3), mixed-case names in a second schema',
  create: async url => void (await runSql(url, SQL)),
  mapping: {
    table: '"Auth"."ApiKey"',
    fields: {
      organization_id: { column: 'orgId' },
      id: { column: 'id' },
      name: { column: 'displayName' },
      created_at: {
        sql: `"createdAt" AT TIME ZONE 'UTC'`,
        note: 'createdAt has no zone: it is taken as UTC',
      },
      created_by_id: { column: 'ownerId' },
      created_by_type: { sql: `CASE WHEN "ownerKind" = 'BOT' THEN 'service_account' ELSE 'user' END` },
      partial_key_hint: { column: 'keyHint' },
      status: {
        column: 'status',
        values: { active: [STATUSES.active], inactive: [STATUSES.inactive], archived: [STATUSES.archived] },
      },
      workspace_id: { column: 'teamId' },
    },
    filters: ['status', 'workspace_id', 'created_by_user_id'],
  },
  primaryKey: ['orgId', 'id'],
  row: (orgId, key) => ({
    id: key.id,
    orgId,
    teamId: key.workspaceId,
    displayName: key.name,
    keyHint: key.partialKeyHint,
    hashedKey: digestOf(key.id),
    status: STATUSES[key.status],
    ownerId: key.createdBy.id,
    ownerKind: key.createdBy.type === 'user' ? 'HUMAN' : 'BOT',
    createdAt: timeOf(key.createdAt),
  }),
  newId: () => `c${randomBytes(12).toString('hex')}`,
  unmapped: ['hashedKey', 'internalNote'],
  tick: 1_000n,
};
