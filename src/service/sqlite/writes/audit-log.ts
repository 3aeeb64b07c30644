import type { DatabaseSync } from 'node:sqlite';
import { timestampNow } from '../../../shared/record/timestamp.ts';
import type { Actor } from '../../roster/actor.ts';
import type { RosterWriter, WritingMethod } from '../../roster/roster.ts';
import {
  type AuditEntry,
  type AuditedAct,
  type AuditFilter,
  parseDetails,
} from '../../roster/writes/audit-log.ts';
import { auditedActOf, type ResultOf } from '../../roster/writes/audited-acts.ts';
import { inTransaction } from '../connection.ts';

/** Runs the work of a method that writes, and records it, in one transaction. */
export type Act = <M extends WritingMethod>(
  method: M,
  args: Parameters<RosterWriter[M]>,
  work: () => ResultOf<M>,
) => ResultOf<M>;

export function actsOf(database: DatabaseSync, actor: Actor): Act {
  const record = recorder(database, actor);
  return (method, args, work) =>
    inTransaction(database, () => {
      const result = work();
      for (const act of auditedActOf[method](result, ...args)) record(act);
      return result;
    });
}

/** What it returns is to be called in the act's transaction. */
export function recorder(database: DatabaseSync, actor: Actor): (act: AuditedAct) => void {
  const insert = database.prepare(
    `INSERT INTO audit_log (recorded_at, actor, action, organization_id, subject_id, details)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return ({ action, organizationId, subjectId, details }) => {
    const now = timestampNow();
    insert.run(now, actor, action, organizationId, subjectId, JSON.stringify(details));
  };
}

const conditions = {
  organizationId: 'organization_id = ?',
  action: 'action = ?',
  actor: 'actor = ?',
  since: 'recorded_at >= ?',
  until: 'recorded_at < ?',
} as const satisfies Record<keyof AuditFilter, string>;

export function listAuditEntries(
  database: DatabaseSync,
  filter: AuditFilter,
  after: number,
  limit: number,
): readonly AuditEntry[] {
  const names = (Object.keys(conditions) as (keyof AuditFilter)[]).filter(name => filter[name] !== undefined);
  const where = ['number > ?', ...names.map(name => conditions[name])].join(' AND ');
  const statement = database.prepare(
    `SELECT number, recorded_at AS recordedAt, actor, NULL AS databaseUser, action,
       organization_id AS organizationId, subject_id AS subjectId, details
     FROM audit_log WHERE ${where} ORDER BY number LIMIT ?`,
  );
  statement.setReadBigInts(true);
  const values = names.map(name => filter[name] ?? null);
  const rows = statement.all(after, ...values, limit) as unknown as AuditEntry[];
  return rows.map(row => ({
    ...row,
    number: Number(row.number),
    details: parseDetails(String(row.details)),
  }));
}
