import { Refused } from '../../../shared/record/faults.ts';
import { timestampOfDate } from '../../../shared/record/timestamp.ts';
import type { Vendor } from '../../../shared/record/vendor.ts';
import { type AdminKey, adminKeyRecord, newAdminKey } from '../../roster/admin-key.ts';
import { AdminKeySecret } from '../../roster/admin-key-secret.ts';
import { adminKeyParser, type GivenAdminKey } from '../../roster/given-admin-key.ts';
import type { ImportCounts } from '../../roster/put-outcome.ts';
import type { RosterWriter } from '../../roster/roster.ts';
import { walkByCreation } from '../../roster/walks.ts';
import { allLines } from './all-lines.ts';
import { requireNoneRefused } from './refusals.ts';
import { SecretsFile } from './secrets-file.ts';

/** Creates the admin keys of a file, all or none, and writes them with their secrets to another. Throws `Refused`. */
export async function createFromFile(
  roster: RosterWriter,
  { from, to, vendor }: { readonly from: string; readonly to: string; readonly vendor: Vendor },
): Promise<ImportCounts> {
  const file = new SecretsFile(to);
  let issued: readonly AdminKey[] = [];
  const issue = (missing: readonly GivenAdminKey[]) => {
    const createdAt = timestampOfDate(new Date());
    const made = missing.map(given => {
      const secret = AdminKeySecret.issue(vendor);
      return { secret, key: newAdminKey(secret, { ...given, createdAt }) };
    });
    if (made.length > 0)
      file.write(made.map(({ secret, key }) => ({ ...adminKeyRecord(key), secret: secret.reveal() })));
    issued = made.map(({ key }) => key);
    return issued;
  };
  try {
    const lines = await allLines(from, adminKeyParser(timestampOfDate(new Date())));
    const { created, unchanged, refused } = await roster.createAdminKeys(lines, issue);
    requireNoneRefused(refused, 'made');
    if (created.length === 0) file.remove();
    return { inserted: created.length, updated: 0, unchanged, refused: 0 };
  } catch (error) {
    if (await areMade(roster, issued)) throw new Refused(mayBeMade(to, error), { cause: error });
    file.remove();
    throw error;
  } finally {
    file.close();
  }
}

/** Whether these were made after all: the answer to a commit may be lost. Also where nobody can tell. */
async function areMade(roster: RosterWriter, [first]: readonly AdminKey[]): Promise<boolean> {
  if (!first) return false;
  try {
    const ofTheOrganization = walkByCreation((after, limit) =>
      roster.listAdminKeys(first.organizationId, after, limit),
    );
    for await (const keys of ofTheOrganization) if (keys.some(({ id }) => id === first.id)) return true;
    return false;
  } catch {
    return true;
  }
}

function mayBeMade(to: string, error: unknown): string {
  return `${(error as Error).message}; ${to} is left, as its keys may have been made: "keyroster admin-keys list" tells`;
}
