import { Refused } from '../../../shared/record/faults.ts';
import type { Statements } from '../statements.ts';
import type { Mapping } from './mapping.ts';
import { relationKind } from './own-table.ts';
import { servedMapping } from './view.ts';

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
