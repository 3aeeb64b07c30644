import { hostname } from 'node:os';
import { type DestinationStream, type Logger, pino } from 'pino';
import { redactAdminKeys } from '../roster/admin-key-secret.ts';
import type { LogLevel } from './log-levels.ts';

export type Log = Logger;

/** Where log lines are written (one JSON object per line), and the lowest level. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly destination: DestinationStream;
}

/** In every line. */
export const PROCESS = { pid: process.pid, hostname: hostname() };

/** Without settings nothing is logged. */
export function createLog(settings: LogSettings | undefined): Log {
  if (!settings) return pino({ enabled: false });
  return pino({ level: settings.level, base: PROCESS }, redacting(settings.destination));
}

/**
 * Redacts admin keys in every log line. Nothing should log one; this is the second line of defense. A line that can't be written
 * is lost: no request fails for it.
 */
export function redacting(destination: DestinationStream): DestinationStream {
  return {
    write: line => {
      try {
        destination.write(redactAdminKeys(line));
      } catch {}
    },
  };
}
