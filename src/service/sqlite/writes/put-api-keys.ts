import type { DatabaseSync } from 'node:sqlite';
import { Refused } from '../../../shared/record/faults.ts';
import type { OrganizationId } from '../../../shared/record/identifier.ts';
import { formatTimestamp, parseTimestamp } from '../../../shared/record/timestamp.ts';
import { type ApiKey, renderContractRecord } from '../../roster/api-key.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import {
  isUse,
  type KeyUse,
  lastUseField,
  NOT_DECLARED,
  useOutcome,
  withLastUse,
} from '../../roster/writes/key-use.ts';
import type { FeedLine } from '../../roster/writes/key-writer.ts';
import {
  FIELD_IS_GONE,
  type KeysToPut,
  keysBy,
  organizationRefused,
  type PutCounts,
  type PutOutcome,
  putCounts,
  putOutcome,
  withFields,
} from '../../roster/writes/put-outcome.ts';
import { declaredRecord, storedDeclared } from '../record.ts';
import { storedStatus } from '../stored-values.ts';
import { fieldsReader } from './change-fields.ts';
import { organizationNumbers } from './organizations.ts';

/** Writes few keys. The statements are prepared once for a connection. All of it is to be called in a transaction. */
export function apiKeyPuts(database: DatabaseSync) {
  const find = database.prepare('SELECT record, declared FROM api_keys WHERE organization = ? AND id = ?');
  const numberWorkspace = database.prepare(
    'INSERT OR IGNORE INTO workspaces (organization, id) VALUES (?, ?)',
  );
  const numberCreator = database.prepare('INSERT OR IGNORE INTO creators (organization, id) VALUES (?, ?)');
  const upsert = database.prepare(UPSERT);

  const update = database.prepare('UPDATE api_keys SET declared = ? WHERE organization = ? AND id = ?');

  const numberOf = organizationNumbers(database);
  const declaredFields = fieldsReader(database);

  const put = (organization: number, given: ApiKey, fields: readonly DeclaredField[]): PutOutcome => {
    const known = withFields(given, fields);
    if (known === null) return FIELD_IS_GONE;
    const stored = find.get(organization, known.id) as Stored | undefined;
    const before = stored && declaredRecord(stored.record, fields, stored.declared);
    const key = withLastUse(known, before);
    const outcome = putOutcome(before, key);
    if ('faults' in outcome || outcome.result === 'unchanged') return outcome;
    const { id, createdAt, status, workspaceId, createdBy } = key;
    if (workspaceId !== null) numberWorkspace.run(organization, workspaceId);
    numberCreator.run(organization, createdBy.id);
    const values = [
      storedStatus[status],
      workspaceId,
      createdBy.id,
      renderContractRecord(key),
      storedDeclared(key),
    ];
    upsert.run(organization, createdAt, id, ...values);
    return outcome;
  };

  const use = (organization: number, key: KeyUse, fields: readonly DeclaredField[]): PutOutcome => {
    const number = lastUseField(fields)?.number;
    if (number === undefined) return NOT_DECLARED;
    const stored = find.get(organization, key.id) as Stored | undefined;
    const values = JSON.parse(stored?.declared ?? '{}');
    const outcome = useOutcome(stored && (parseTimestamp(values[number]) ?? null), key);
    if ('faults' in outcome || outcome.result === 'unchanged') return outcome;
    const declared = JSON.stringify({ ...values, [number]: formatTimestamp(key.lastUsedAt) });
    update.run(declared, organization, key.id);
    return outcome;
  };

  return {
    putApiKeys(organizationId: OrganizationId, given: KeysToPut): PutCounts {
      const organization = numberOf(organizationId);
      const fields = declaredFields();
      const keys = keysBy(given, fields);
      const outcomes = keys.map(key => put(organization, key, fields));
      return putCounts(keys, outcomes);
    },
    feedApiKeys(lines: readonly FeedLine[], orNone = false): PutOutcome[] {
      const fields = declaredFields();
      const organizations = new Map<OrganizationId, number | Refused>();
      const outcomes = lines.map(line => {
        const { organizationId } = line;
        const known = organizations.get(organizationId) ?? orRefusal(() => numberOf(organizationId));
        organizations.set(organizationId, known);
        if (known instanceof Refused) return organizationRefused(known);
        return isUse(line) ? use(known, line.key, fields) : put(known, line.key as ApiKey, fields);
      });
      const keys = lines.map(({ key }) => key);
      if (orNone) putCounts(keys, outcomes);
      return outcomes;
    },
  };
}

interface Stored {
  readonly record: string;
  readonly declared: string | null;
}

function orRefusal(find: () => number): number | Refused {
  try {
    return find();
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

const UPSERT = `
  INSERT INTO api_keys (organization, created_at, id, status, workspace, creator, record, declared)
  VALUES (?1, ?2, ?3, ?4, coalesce((SELECT number FROM workspaces WHERE organization = ?1 AND id = ?5), 0),
    (SELECT number FROM creators WHERE organization = ?1 AND id = ?6), ?7, ?8)
  ON CONFLICT (organization, created_at, id) DO UPDATE
  SET status = excluded.status, workspace = excluded.workspace, record = excluded.record,
    declared = excluded.declared, import = -abs(import)`;
