import { type DeclaredField, NO_FIELDS } from '../roster/declared-fields.ts';
import { declaredFields } from './declared-fields.ts';
import type { Statements } from './statements.ts';
import { isAdopted } from './vendor-table/own-table.ts';
import { servedMapping } from './vendor-table/view.ts';

/** The declared fields that API keys have. Over a vendor's own table its mapping says them, which any role may read. */
export async function listFields(client: Statements): Promise<readonly DeclaredField[]> {
  if (!(await isAdopted(client))) return declaredFields(client);
  const fields = (await servedMapping(client))?.declared.map(({ field }) => field) ?? [];
  return fields.length > 0 ? fields : NO_FIELDS;
}
