import type { DestinationStream } from 'pino';
import { redactAdminKeys } from '../roster/redact-admin-keys.ts';

/** The last net under the rule that nothing logs a secret: whatever wrote it, an admin key doesn't get into a log. */
export function redacting(destination: DestinationStream): DestinationStream {
  return { write: line => destination.write(redactAdminKeys(line)) };
}
