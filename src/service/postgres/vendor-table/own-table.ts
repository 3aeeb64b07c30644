import { Refused } from '../../../shared/record/faults.ts';
import { type DeclaredField, NO_FIELDS } from '../../roster/declared-fields.ts';
import { declaredFields } from '../declared-fields.ts';
import type { Statements } from '../statements.ts';
import type { Mapping } from './mapping.ts';
import { servedMapping } from './view.ts';

/** What `keyroster.NAME` is; `null`: there is none. */
export async function relationKind(client: Statements, name: string): Promise<'table' | 'view' | null> {
  const { rows } = await client.query(
    `SELECT relkind::text AS kind FROM pg_class WHERE oid = pg_catalog.to_regclass('keyroster.' || $1::text)::oid`,
    [name],
  );
  const kind = rows[0]?.kind;
  return kind === undefined ? null : kind === 'v' ? 'view' : 'table';
}

/** Whether `keyroster.api_keys` is a view over a vendor's own table. */
export async function isAdopted(client: Statements): Promise<boolean> {
  return (await relationKind(client, 'api_keys')) === 'view';
}

/** What a page depends on besides its query. */
export interface PageTable {
  /** Whether it is a view over a vendor's own table. */
  readonly isAdopted: boolean;
  /** The declared fields that API keys have. */
  readonly fields: readonly DeclaredField[];
}

/** Over a vendor's own table its mapping says the fields, which any role may read. */
export async function pageTable(client: Statements): Promise<PageTable> {
  if (!(await isAdopted(client))) return { isAdopted: false, fields: await declaredFields(client) };
  const fields = (await servedMapping(client))?.declared.map(({ field }) => field) ?? [];
  return { isAdopted: true, fields: fields.length > 0 ? fields : NO_FIELDS };
}

export async function listFields(client: Statements): Promise<readonly DeclaredField[]> {
  return (await pageTable(client)).fields;
}

/** Ours, which is aside while a vendor's is served, and isn't where there was none to put aside. */
export async function ownTable(client: Statements): Promise<'api_keys' | 'own_api_keys' | null> {
  if (!(await isAdopted(client))) return 'api_keys';
  return (await relationKind(client, 'own_api_keys')) === null ? null : 'own_api_keys';
}

/** To be called before API keys are written. Throws `Refused` where they are in a table of the vendor's. */
export async function requireOwnTable(client: Statements): Promise<void> {
  if (await isAdopted(client))
    throw new Refused(
      "the API keys are in the vendor's own table, which Keyroster only reads: change them there (docs/your-table.md)",
    );
}

/**
 * A migration is written for our own table, so that has its name back for as long as one runs. The view may be gone, as it is dropped
 * with the vendor's table. To be called in its transaction.
 */
export async function withOwnTable(client: Statements, migrate: () => Promise<unknown>): Promise<void> {
  const kind = await relationKind(client, 'api_keys');
  const isAside = kind !== 'table' && (await relationKind(client, 'own_api_keys')) === 'table';
  if (kind === 'view') await client.query('ALTER VIEW keyroster.api_keys RENAME TO adopted_api_keys');
  if (isAside) await client.query('ALTER TABLE keyroster.own_api_keys RENAME TO api_keys');
  await migrate();
  if (isAside) await client.query('ALTER TABLE keyroster.api_keys RENAME TO own_api_keys');
  if (kind === 'view') await client.query('ALTER VIEW keyroster.adopted_api_keys RENAME TO api_keys');
}

/** What `keyroster.api_keys` is: our own table, or a view over the vendor's, whose mapping is in its comment. */
export interface ListedRelation {
  readonly isView: boolean;
  /** `null` for our own table, and for a view whose comment isn't what `keyroster adopt` wrote. */
  readonly mapping: Mapping | null;
}

/** Throws `Refused` where there is none: a migration of the vendor's may have dropped the view with its table or a column. */
export async function listedRelation(client: Statements): Promise<ListedRelation> {
  const kind = await relationKind(client, 'api_keys');
  if (kind === null)
    throw new Refused(
      'database: the view keyroster.api_keys is gone: "keyroster adopt --mapping FILE --apply" makes it again, and "keyroster adopt --remove" puts Keyroster\'s own table back',
    );
  return { isView: kind === 'view', mapping: await servedMapping(client) };
}
