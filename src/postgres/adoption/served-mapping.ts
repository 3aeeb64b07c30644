import type { Statements } from '../statements.ts';
import type { Mapping } from './mapping/mapping.ts';
import { parseMapping } from './mapping/parse-mapping.ts';

/** The mapping that the view was made by, out of its comment; `null` where there is no view, or one that `adopt` hasn't made. */
export async function servedMapping(client: Statements): Promise<Mapping | null> {
  const { rows } = await client.query(`
    SELECT obj_description(oid, 'pg_class') AS comment
    FROM pg_class WHERE oid = to_regclass('keyroster.api_keys') AND relkind = 'v'`);
  const comment = String(rows[0]?.comment);
  try {
    const parsed = parseMapping(JSON.parse(comment.slice(comment.indexOf('{'))));
    return 'mapping' in parsed ? parsed.mapping : null;
  } catch {
    return null;
  }
}
