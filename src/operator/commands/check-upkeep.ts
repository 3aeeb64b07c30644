/** What is beside a store, and is wrong, or a line that tells it. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../service/roster/check.ts';
import { UsageError } from '../../shared/command/command.ts';
import { certificateIn } from '../serve/tls.ts';

const HOUR_MS = 3_600_000;
/** A day, and the time that a nightly one takes. */
const MAX_BACKUP_HOURS = 26;
const MIN_CERTIFICATE_DAYS = 14;

/** Beside backups, whatever their names: copies of the audit log, what isn't complete, and what Prometheus reads. */
const NO_BACKUP = /^audit-|\.(partial|prom|tmp)$/;

export function newestBackup(folder: string): Finding | string {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const files = entries.filter(entry => entry.isFile() && !NO_BACKUP.test(entry.name));
    const newest = Math.max(...files.map(({ name }) => statSync(join(folder, name)).mtimeMs));
    const hours = Math.floor((Date.now() - newest) / HOUR_MS);
    const problem = files.length === 0 ? 'there is none' : `the newest is of ${hours} hours ago`;
    if (hours >= -1 && hours <= MAX_BACKUP_HOURS) return `backup: ${problem}`;
    return {
      about: 'backup',
      problem,
      fix: 'make one, and look into the log of what makes them, and at the clock',
    };
  } catch (error) {
    throw new UsageError(`--backup-folder: ${(error as Error).message}`);
  }
}

export function certificateEnd(file: string): Finding | string {
  const days = Math.floor((+certificateIn(file).validToDate - Date.now()) / (24 * HOUR_MS));
  const problem = days < 0 ? 'it has ended' : `it ends in ${days} days`;
  if (days >= MIN_CERTIFICATE_DAYS) return `certificate: ${problem}`;
  return { about: 'certificate', problem, fix: 'replace it, and send SIGHUP to "keyroster serve"' };
}
