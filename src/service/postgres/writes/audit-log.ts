import type { Client } from 'pg';
import type { Actor } from '../../roster/actor.ts';
import type { RosterWriter, WritingMethod } from '../../roster/roster.ts';
import {
  type AuditEntry,
  type AuditedAct,
  type AuditFilter,
  parseDetails,
} from '../../roster/writes/audit-log.ts';
import { auditedActOf, type ResultOf } from '../../roster/writes/audited-acts.ts';
import type { Statements } from '../statements.ts';
import { microseconds, timestampOf, timestamptz } from '../timestamp.ts';

/** Runs the work of a method that writes, and records it, in one transaction. */
export type Act<Connection extends Statements> = <M extends WritingMethod>(
  method: M,
  args: Parameters<RosterWriter[M]>,
  work: (connection: Connection) => Promise<ResultOf<M>>,
) => Promise<ResultOf<M>>;

/** The act that comes last on each connection. */
const lastActs = new WeakMap<object, Promise<unknown>>();

/** One act after the other: a connection has one transaction at a time, also where it is a caller's and has several writers. */
export function actsOf<Connection extends Statements>(
  actor: Actor,
  inTransaction: <T>(work: (connection: Connection) => Promise<T>, method: WritingMethod) => Promise<T>,
  connection: object = {},
): Act<Connection> {
  return (method, args, work) => {
    const before = lastActs.get(connection) ?? Promise.resolve();
    const acted = before.then(() =>
      inTransaction(async on => {
        const result: ResultOf<typeof method> = await work(on);
        await record(on, actor, auditedActOf[method](result, ...args));
        return result;
      }, method),
    );
    const ended = acted.catch(() => {});
    lastActs.set(connection, ended);
    return acted;
  };
}

/** To be called in the act's transaction. PostgreSQL adds the time and its user. */
export async function record(client: Statements, actor: Actor, acts: readonly AuditedAct[]): Promise<void> {
  for (let from = 0; from < acts.length; from += ROWS_AT_ONCE) {
    const rows = acts
      .slice(from, from + ROWS_AT_ONCE)
      .map(({ action, organizationId, subjectId, details }) => ({
        action,
        organization: organizationId,
        subject: subjectId,
        details: JSON.stringify(details), // the text that the table's rule knows
      }));
    await client.query(INSERT, [actor, JSON.stringify(rows)]);
  }
}

/** Parameters of some megabytes at most. */
export const ROWS_AT_ONCE = 10_000;

const INSERT = `
  INSERT INTO keyroster.audit_log (actor, action, organization_id, subject_id, details)
  SELECT $1::text, action, organization, subject, details::json FROM pg_catalog.json_to_recordset($2::text::json)
    AS act (action text, organization text, subject text, details text)`;

const columns = {
  organizationId: 'organization_id =',
  action: 'action =',
  actor: 'actor =',
  since: 'recorded_at >=',
  until: 'recorded_at <',
} as const satisfies Record<keyof AuditFilter, string>;

export async function listAuditEntries(
  client: Client,
  filter: AuditFilter,
  after: number,
  limit: number,
): Promise<readonly AuditEntry[]> {
  const names = (Object.keys(columns) as (keyof AuditFilter)[]).filter(name => filter[name] !== undefined);
  const where = ['number > $1', ...names.map((name, index) => `${columns[name]} $${index + 3}`)];
  const values = names.map(name => {
    const value = filter[name];
    return typeof value === 'bigint' ? timestamptz(value) : value;
  });
  const { rows } = await client.query(
    `SELECT number, ${microseconds('recorded_at')} AS "recordedAt", actor, database_user AS "databaseUser", action,
       organization_id AS "organizationId", subject_id AS "subjectId", details FROM keyroster.audit_log WHERE ${where.join(' AND ')} ORDER BY number LIMIT $2`,
    [after, limit, ...values],
  );
  return rows.map(
    (row): AuditEntry => ({
      ...row,
      number: Number(row.number),
      recordedAt: timestampOf(row.recordedAt),
      details: parseDetails(row.details),
    }),
  );
}
