import type { Finding } from '../../roster/check.ts';
import type { Mapping } from '../adoption/mapping/mapping.ts';
import { parseMapping } from '../adoption/mapping/parse-mapping.ts';
import type { Statements } from '../statements.ts';
import { viewSourceProblem } from './view-source.ts';

/** What `keyroster.api_keys` is: our own table, or a view over the vendor's, whose mapping is in its comment. */
export interface ListedRelation {
  readonly isView: boolean;
  /** `null` for our own table, and for a view whose comment isn't what `keyroster adopt` wrote. */
  readonly mapping: Mapping | null;
  /** What the view reads that the mapping doesn't name any more. */
  readonly renamed: Finding | null;
}

export async function listedRelation(client: Statements): Promise<ListedRelation> {
  const { rows } = await client.query(`
    SELECT relkind::text AS kind, obj_description(oid, 'pg_class') AS comment
    FROM pg_class WHERE oid = 'keyroster.api_keys'::regclass`);
  const isView = rows[0]?.kind === 'v';
  const mapping = isView ? mappingIn(String(rows[0]?.comment)) : null;
  return { isView, mapping, renamed: mapping && (await viewSourceProblem(client, mapping)) };
}

function mappingIn(comment: string): Mapping | null {
  try {
    const parsed = parseMapping(JSON.parse(comment.slice(comment.indexOf('{'))));
    return 'mapping' in parsed ? parsed.mapping : null;
  } catch {
    return null;
  }
}
