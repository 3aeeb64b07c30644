import type { Actor } from '../roster/actor.ts';
import type { IssuerStore } from '../roster/roster.ts';
import { createAdminKey, revokeAdminKey } from './admin-keys.ts';
import { type Act, actsOf } from './audit-log.ts';
import { createOrganization } from './organizations.ts';
import { putApiKeys } from './put-api-keys.ts';
import { requireSchema } from './schema.ts';
import { setStatus } from './set-status.ts';
import type { Statements } from './statements.ts';
import { inSavepoint } from './transaction.ts';

export function issuerStoreOf<Connection extends Statements>(act: Act<Connection>): IssuerStore {
  return {
    createOrganization: (...args) => act('createOrganization', args, on => createOrganization(on, ...args)),
    createAdminKey: (...args) => act('createAdminKey', args, on => createAdminKey(on, ...args)),
    revokeAdminKey: (...args) => act('revokeAdminKey', args, on => revokeAdminKey(on, ...args)),
    putApiKeys: (...args) => act('putApiKeys', args, on => putApiKeys(on, ...args)),
    setStatus: (...args) => act('setStatus', args, on => setStatus(on, ...args)),
  };
}

/**
 * Writes in a transaction that the caller has begun, and commits or rolls back. An act that is refused is undone, and the
 * transaction can go on. Errors of the database are thrown as they are, so that the caller sees that it has to try again.
 */
export function issuerIn(transaction: Statements, actor: Actor): IssuerStore {
  let isChecked = false;
  const act = actsOf<Statements>(actor, work =>
    inSavepoint(transaction, async () => {
      if (!isChecked) await requireSchema(transaction, 'write');
      isChecked = true;
      return work(transaction);
    }),
  );
  return issuerStoreOf(act);
}
