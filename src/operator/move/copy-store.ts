import { type DeclaredField, fieldRecord } from '../../service/roster/declared-fields.ts';
import type { Organization, StoredOrganization } from '../../service/roster/organization.ts';
import { parseApiKey } from '../../service/roster/parse-api-key.ts';
import type { RosterWriter, Snapshot } from '../../service/roster/roster.ts';
import { walkByCreation, walkRoster } from '../../service/roster/walks.ts';
import type { ImportLine, ImportRefusal } from '../../service/roster/writes/imports.ts';
import { problemTexts, Refused } from '../../shared/record/faults.ts';
import { formatTimestamp } from '../../shared/record/timestamp.ts';

/** API keys of one transaction: what a run that was stopped has to write again. */
const KEYS_AT_ONCE = 100_000;

/** How many of each the source has. */
export type Copied = Record<'organizations' | 'adminKeys' | 'apiKeys', number>;

/** Is told how many of what were copied so far. */
type OnCopied = (what: keyof Copied, copied: number) => void;

/**
 * Copies declared fields, organizations, admin keys and API keys. What is there already is compared and brought up to date, so a run
 * that was stopped is completed by the next. Organizations that are being deleted aren't copied. Throws `Refused` for what the
 * target can't take.
 */
export async function copyStore(source: Snapshot, target: RosterWriter, onCopied: OnCopied): Promise<Copied> {
  await copyFields(source, target);
  const copied: Copied = { organizations: 0, adminKeys: 0, apiKeys: 0 };
  const count = (what: keyof Copied, more: number) => {
    copied[what] += more;
    onCopied(what, copied[what]);
  };
  await copyOrganizations(source, target, organizations => count('organizations', organizations));
  for await (const keys of keptAdminKeys(source)) {
    await target.copyAdminKeys(keys);
    count('adminKeys', keys.length);
  }
  await copyRosters(source, target, keys => count('apiKeys', keys));
  return copied;
}

async function copyOrganizations(
  source: Snapshot,
  target: RosterWriter,
  onCopied: (organizations: number) => void,
): Promise<void> {
  const there = new Map<Organization['id'], StoredOrganization>();
  for await (const page of walkByCreation((...position) => target.listOrganizations(...position)))
    for (const organization of page) there.set(organization.id, organization);
  for await (const page of keptOrganizations(source)) {
    for (const { id, name, createdAt, disabledAt } of page) {
      const before = there.get(id);
      if (!before) await target.createOrganization({ id, name, createdAt });
      else if (before.createdAt !== createdAt)
        throw refusal(`organization ${id}`, [`it has one of ${formatTimestamp(before.createdAt)}`]);
      else if (before.name !== name) await target.renameOrganization(id, name);
      if (disabledAt !== null) await target.disableOrganization(id, disabledAt);
    }
    onCopied(page.length);
  }
}

/** Those that aren't being deleted, in pages. */
async function* keptOrganizations(store: Snapshot) {
  for await (const page of walkByCreation((...position) => store.listOrganizations(...position)))
    yield page.filter(({ deletedAt }) => deletedAt === null);
}

async function* keptAdminKeys(store: Snapshot) {
  const kept = new Set<Organization['id']>();
  for await (const organizations of keptOrganizations(store))
    for (const { id } of organizations) kept.add(id);
  for await (const page of walkByCreation((...position) => store.listAdminKeys(null, ...position)))
    yield page.filter(({ organizationId }) => kept.has(organizationId));
}

/** They stand in records in the order in which they were declared, so that has to be the same. */
async function copyFields(source: Snapshot, target: RosterWriter): Promise<void> {
  const [ours, theirs] = [await source.listFields(), await target.listFields()];
  const text = (field: DeclaredField | undefined) => field && JSON.stringify(fieldRecord(field));
  const other = theirs.find((field, index) => text(field) !== text(ours[index]));
  if (other)
    throw new Refused(
      `move: the target declares the field ${other.name}, which the source has not, or in another order or of another type: "keyroster fields" there shows and removes it`,
    );
  for (const { name, type } of ours.slice(theirs.length)) await target.addField({ name, type });
}

async function copyRosters(
  source: Snapshot,
  target: RosterWriter,
  onCopied: (keys: number) => void,
): Promise<void> {
  const onRefused = ({ organizationId, faults, source: record }: ImportRefusal) => {
    throw refusal(`API key ${JSON.parse(record).id} of ${organizationId}`, problemTexts(faults));
  };
  const lines = linesOf(source, await target.listFields());
  let isDone = false;
  const part = async function* () {
    for (let count = 0; count < KEYS_AT_ONCE; ) {
      const { done, value } = await lines.next();
      if (done) {
        isDone = true;
        return;
      }
      yield value;
      count += value.length;
      onCopied(value.length);
    }
  };
  while (!isDone) await target.importApiKeys(part(), { onRefused });
}

async function* linesOf(
  source: Snapshot,
  fields: readonly DeclaredField[],
): AsyncGenerator<readonly ImportLine[], undefined> {
  let line = 0;
  for await (const organizations of keptOrganizations(source))
    for (const { id: organizationId } of organizations)
      for await (const items of walkRoster(source, organizationId))
        yield items.map(({ record }): ImportLine => {
          line += 1;
          const parsed = parseApiKey(JSON.parse(record), fields);
          return 'key' in parsed
            ? { line, organizationId, ...parsed }
            : { line, organizationId, ...parsed, source: record };
        });
}

function refusal(what: string, problems: readonly string[]): Refused {
  return new Refused(`move: the target refuses the ${what}: ${problems.join('; ')}`);
}
