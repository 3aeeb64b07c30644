import { Refused } from '../../roster/errors.ts';
import type { Statements } from '../statements.ts';
import { relationKind } from './steps.ts';

/** To be called before API keys are written. Throws `Refused` where they are in a table of the vendor's. */
export async function requireOwnTable(client: Statements): Promise<void> {
  if ((await relationKind(client, 'api_keys')) === 'view')
    throw new Refused(
      "the API keys are in the vendor's own table, which Keyroster only reads: change them there (docs/your-table.md)",
    );
}
