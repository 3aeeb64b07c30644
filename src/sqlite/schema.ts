import { initial } from './migrations/0001-initial.ts';
import { finalRevocations } from './migrations/0002-final-revocations.ts';
import { auditLog } from './migrations/0003-audit-log.ts';
import { corrections } from './migrations/0004-corrections.ts';

/** "KeyR" in ASCII. SQLite stores it in the file's header, which tells a Keyroster store from other files. */
export const APPLICATION_ID = 0x4b657952;

/** In the order of their versions; the file's `user_version` counts those applied. Append only. */
export const migrations: readonly string[] = [initial, finalRevocations, auditLog, corrections];
