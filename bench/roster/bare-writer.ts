import type { DatabaseSync } from 'node:sqlite';
import { storedStatus } from '../../src/service/sqlite/stored-values.ts';
import { organizationNumber } from '../../src/service/sqlite/writes/organizations.ts';
import type { OrganizationId } from '../../src/shared/record/identifier.ts';
import type { Status } from '../../src/shared/record/status.ts';

const DEFAULT_WORKSPACE = 0;

interface BareRow {
  readonly id: string;
  /** Microseconds since 1970. */
  readonly createdAt: number | bigint;
  readonly status: Status;
  readonly workspaceId: string | null;
  readonly creatorId: string;
  readonly record: string;
}

/** Returns a function that inserts a row without any check. */
export function bareWriter(database: DatabaseSync, organizationId: OrganizationId): (row: BareRow) => void {
  const organization = organizationNumber(database, organizationId);
  const workspaceNumber = numberOf(database, organization, 'workspaces');
  const creatorNumber = numberOf(database, organization, 'creators');
  const insert = database.prepare(
    `INSERT INTO api_keys (organization, created_at, id, status, workspace, creator, record)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  return ({ id, createdAt, status, workspaceId, creatorId, record }) => {
    insert.run(
      organization,
      createdAt,
      id,
      storedStatus[status],
      workspaceId === null ? DEFAULT_WORKSPACE : workspaceNumber(workspaceId),
      creatorNumber(creatorId),
      record,
    );
  };
}

/** Returns a function that gives an ID's row number, and adds the row first if it is missing. */
function numberOf(database: DatabaseSync, organization: number, table: 'workspaces' | 'creators') {
  const insert = database.prepare(`INSERT INTO ${table} (organization, id) VALUES (?, ?) RETURNING number`);
  const known = new Map<string, number>();
  return (id: string): number => {
    const number = known.get(id) ?? (insert.get(organization, id)?.number as number);
    known.set(id, number);
    return number;
  };
}
