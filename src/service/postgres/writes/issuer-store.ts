import type { Actor } from '../../roster/actor.ts';
import type { IssuerStore, RosterWriter, WritingMethod } from '../../roster/roster.ts';
import type { ResultOf } from '../../roster/writes/audited-acts.ts';
import { requireSchema } from '../migrations/schema.ts';
import type { Statements } from '../statements.ts';
import { inSavepoint } from '../transaction.ts';
import { createAdminKey, revokeAdminKey } from './admin-keys.ts';
import { type Act, actsOf } from './audit-log.ts';
import { createOrganization } from './organizations.ts';
import { feedApiKeys, putApiKeys } from './put-api-keys.ts';
import { setStatus } from './set-status.ts';

/** The method of each of these works, which is recorded in the audit log. */
export function methodsOf<Connection extends Statements, Method extends WritingMethod>(
  act: Act<Connection>,
  works: {
    readonly [M in Method]: (on: Connection, ...args: Parameters<RosterWriter[M]>) => Promise<ResultOf<M>>;
  },
): Pick<RosterWriter, Method> {
  const names = Object.keys(works) as Method[];
  const methods = names.map(name => [
    name,
    (...args: Parameters<RosterWriter[Method]>) => act(name, args, on => works[name](on, ...args)),
  ]);
  return Object.fromEntries(methods);
}

export function issuerStoreOf<Connection extends Statements>(act: Act<Connection>): IssuerStore {
  return methodsOf(act, {
    createOrganization,
    createAdminKey,
    revokeAdminKey,
    putApiKeys,
    feedApiKeys,
    setStatus,
  });
}

/**
 * Writes in a transaction that the caller has begun, and commits or rolls back. An act that is refused is undone, and the
 * transaction can go on. Errors of the database are thrown as they are, so that the caller sees that it has to try again.
 */
export function issuerIn(transaction: Statements, actor: Actor): IssuerStore {
  let isChecked = false;
  const inOwn = <T>(work: (connection: Statements) => Promise<T>) =>
    inSavepoint(transaction, async () => {
      if (!isChecked) await requireSchema(transaction, 'write');
      isChecked = true;
      return work(transaction);
    });
  const act = actsOf<Statements>(actor, inOwn, transaction);
  return issuerStoreOf(act);
}
