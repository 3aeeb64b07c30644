import type { Actor } from '../roster/actor.ts';
import type { IssuerStore } from '../roster/roster.ts';
import { createAdminKey, revokeAdminKey } from './admin-keys.ts';
import { actsOf } from './audit-log.ts';
import { createOrganization } from './organizations.ts';
import { putApiKeys } from './put-api-keys.ts';
import { requireCurrentSchema } from './schema-version.ts';
import { setStatus } from './set-status.ts';
import type { Statements } from './statements.ts';
import { inSavepoint } from './transaction.ts';

/**
 * Writes in a transaction that the caller has begun, and commits or rolls back. An act that is refused is undone, and the
 * transaction can go on. Errors of the database are thrown as they are, so that the caller sees that it has to try again.
 */
export function issuerIn(transaction: Statements, actor: Actor): IssuerStore {
  let isCurrent = false;
  const act = actsOf(transaction, actor, (_, work) =>
    inSavepoint(transaction, async () => {
      if (!isCurrent) await requireCurrentSchema(transaction);
      isCurrent = true;
      return work();
    }),
  );
  return {
    createOrganization: (...args) =>
      act('createOrganization', args, () => createOrganization(transaction, ...args)),
    createAdminKey: (...args) => act('createAdminKey', args, () => createAdminKey(transaction, ...args)),
    revokeAdminKey: (...args) => act('revokeAdminKey', args, () => revokeAdminKey(transaction, ...args)),
    putApiKeys: (...args) => act('putApiKeys', args, () => putApiKeys(transaction, ...args)),
    setStatus: (...args) => act('setStatus', args, () => setStatus(transaction, ...args)),
  };
}
