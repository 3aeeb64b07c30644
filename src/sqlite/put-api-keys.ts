import type { DatabaseSync } from 'node:sqlite';
import type { ApiKey } from '../roster/api-key.ts';
import { renderApiKey } from '../roster/api-key-record.ts';
import type { PutCounts } from '../roster/counts.ts';
import { Refused } from '../roster/errors.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import { organizationRefused, type PutOutcome, putCounts, putOutcome } from '../roster/put-outcome.ts';
import type { FeedLine } from '../roster/roster.ts';
import { organizationNumber } from './organizations.ts';
import { recordTail, wholeRecord } from './record.ts';
import { storedStatus } from './stored-values.ts';

/** Writes few keys. The statements are prepared once for a connection. All of it is to be called in a transaction. */
export function apiKeyPuts(database: DatabaseSync) {
  const find = database.prepare('SELECT record FROM api_keys WHERE organization = ? AND id = ?');
  const numberWorkspace = database.prepare(
    'INSERT OR IGNORE INTO workspaces (organization, id) VALUES (?, ?)',
  );
  const numberCreator = database.prepare('INSERT OR IGNORE INTO creators (organization, id) VALUES (?, ?)');
  const upsert = database.prepare(UPSERT);

  const put = (organization: number, key: ApiKey): PutOutcome => {
    const tail = find.get(organization, key.id)?.record as string | undefined;
    const outcome = putOutcome(tail === undefined ? tail : wholeRecord(key.id, tail), key);
    if ('faults' in outcome || outcome.result === 'unchanged') return outcome;
    const { id, createdAt, status, workspaceId, createdBy } = key;
    const record = recordTail(id, renderApiKey(key));
    if (workspaceId !== null) numberWorkspace.run(organization, workspaceId);
    numberCreator.run(organization, createdBy.id);
    upsert.run(organization, createdAt, id, storedStatus[status], workspaceId, createdBy.id, record);
    return outcome;
  };

  return {
    putApiKeys(organizationId: OrganizationId, keys: readonly ApiKey[]): PutCounts {
      const organization = organizationNumber(database, organizationId);
      const outcomes = keys.map(key => put(organization, key));
      return putCounts(keys, outcomes);
    },
    feedApiKeys(lines: readonly FeedLine[]): PutOutcome[] {
      const organizations = new Map<OrganizationId, number | Refused>();
      return lines.map(({ organizationId, key }) => {
        const known = organizations.get(organizationId) ?? numberOrRefusal(database, organizationId);
        organizations.set(organizationId, known);
        return known instanceof Refused ? organizationRefused(known) : put(known, key);
      });
    },
  };
}

function numberOrRefusal(database: DatabaseSync, organization: OrganizationId): number | Refused {
  try {
    return organizationNumber(database, organization);
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

const UPSERT = `
  INSERT INTO api_keys (organization, created_at, id, status, workspace, creator, record)
  VALUES (?1, ?2, ?3, ?4, coalesce((SELECT number FROM workspaces WHERE organization = ?1 AND id = ?5), 0),
    (SELECT number FROM creators WHERE organization = ?1 AND id = ?6), ?7)
  ON CONFLICT (organization, created_at, id) DO UPDATE
  SET status = excluded.status, workspace = excluded.workspace, record = excluded.record, import = -abs(import)`;
