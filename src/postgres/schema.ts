import { initial } from './migrations/0001-initial.ts';
import { finalRevocations } from './migrations/0002-final-revocations.ts';
import { auditLog } from './migrations/0003-audit-log.ts';

/** In the order of their versions; `keyroster.migrations` has a row for each that is applied. Append only. */
export const migrations: readonly string[] = [initial, finalRevocations, auditLog];
