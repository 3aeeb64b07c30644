import { hash } from 'node:crypto';
import { type Schema, schemaAfter } from '../roster/schema.ts';
import { initial } from './migrations/0001-initial.ts';

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
export const migrations: readonly Migration[] = [initial];

/** The store keeps it. */
export const digestOf = ({ concurrently = [], statements }: Migration): string =>
  hash('sha256', [...concurrently, ...statements].join(''));

/** That of this release. */
export const ownSchema = (): Schema => schemaAfter(migrations, digestOf);
