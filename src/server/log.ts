import type { DestinationStream } from 'pino';
import { withoutAdminKeys } from '../roster/admin-key.ts';

/** The last net under the rule that nothing logs a secret: whatever wrote it, an admin key doesn't get into a log. */
export function redacting(destination: DestinationStream): DestinationStream {
  return { write: line => destination.write(withoutAdminKeys(line)) };
}
