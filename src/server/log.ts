import type { DestinationStream } from 'pino';
import { redactAdminKeys } from '../roster/redact-admin-keys.ts';

/** Redacts admin keys in every log line. Nothing should log one; this is the second line of defense. */
export function redacting(destination: DestinationStream): DestinationStream {
  return { write: line => destination.write(redactAdminKeys(line)) };
}
