import { type Schema, schemaAfter } from '../roster/schema.ts';
import { initial } from './migrations/0001-initial.ts';
import { finalRevocations } from './migrations/0002-final-revocations.ts';
import { auditLog } from './migrations/0003-audit-log.ts';
import { cheaperChecks } from './migrations/0004-cheaper-checks.ts';
import { validChecks } from './migrations/0005-valid-checks.ts';
import { corrections } from './migrations/0006-corrections.ts';
import { usableFrom } from './migrations/0007-usable-from.ts';

/** A step of the schema. Each statement stands alone, as Citus refuses several at once. */
export interface Migration {
  /**
   * Run before the others, each outside of a transaction, while the service runs: indexes that are made or dropped
   * `CONCURRENTLY`, constraints that are validated. A run that was interrupted is repeated, so each can be: `IF [NOT]
   * EXISTS`.
   */
  readonly concurrently?: readonly string[];
  /**
   * Run in one transaction. It is repeated when a lock isn't free within a fraction of a second, so it may hold none for
   * long.
   */
  readonly statements: readonly string[];
  /**
   * The oldest schema whose release can read and write the store after this migration: that of the release before. `null`: no
   * release without this migration can.
   */
  readonly usableFrom: number | null;
}

/** In the order of their versions; `keyroster.migrations` has a row for each that is applied. Append only. */
export const migrations: readonly Migration[] = [
  ...[initial, finalRevocations, auditLog, cheaperChecks, validChecks, corrections].map(step => ({
    ...step,
    usableFrom: null,
  })),
  usableFrom,
];

/** That of this release. */
export const ownSchema = (): Schema => schemaAfter(migrations);
