import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../service/roster/check.ts';
import { UsageError } from '../../shared/command/command.ts';
import { certificateIn } from '../serve/tls.ts';

const HOUR_MS = 3_600_000;
/** A day, and the time that a nightly one takes. */
const MAX_BACKUP_HOURS = 26;
const MIN_CERTIFICATE_DAYS = 14;

type Upkeep = Finding & { readonly isRight: boolean };

/** Any file in the folder is taken for a backup, such as a dump or a compressed copy. */
export function newestBackup(folder: string): Upkeep {
  try {
    const files = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isFile());
    const newest = Math.max(...files.map(({ name }) => statSync(join(folder, name)).mtimeMs));
    const hours = Math.floor((Date.now() - newest) / HOUR_MS);
    const problem = files.length === 0 ? 'there is none' : `the newest is of ${hours} hours ago`;
    const fix = 'make one, and look into the log of what makes them';
    return { about: 'backup', problem, fix, isRight: hours <= MAX_BACKUP_HOURS };
  } catch (error) {
    throw new UsageError(`--backup-folder: ${(error as Error).message}`);
  }
}

export function certificateEnd(file: string): Upkeep {
  const days = Math.floor((+certificateIn(file).validToDate - Date.now()) / (24 * HOUR_MS));
  const problem = days < 0 ? 'it has ended' : `it ends in ${days} days`;
  const fix = 'replace it, and send SIGHUP to "keyroster serve"';
  return { about: 'certificate', problem, fix, isRight: days >= MIN_CERTIFICATE_DAYS };
}
