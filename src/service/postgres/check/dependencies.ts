/** What is run by what Keyroster made in the database, and isn't PostgreSQL's or its own: somebody may have made it to be run. */
import type { PartOfReport } from '../../roster/check.ts';
import type { Statements } from '../statements.ts';

/**
 * The objects in our schema, with their constraints, defaults, indexes, triggers and rules, beside what each depends on in another
 * schema. Of views we read two. What is made for a vendor's own table depends on that.
 */
const FOREIGN = `
  WITH RECURSIVE ours (classid, objid) AS (
    SELECT classid, objid FROM pg_depend
    WHERE refclassid = 'pg_namespace'::regclass AND refobjid = 'keyroster'::regnamespace
    UNION SELECT pg_depend.classid, pg_depend.objid FROM ours JOIN pg_depend ON deptype IN ('a', 'i')
      AND (refclassid, refobjid) = (ours.classid, ours.objid)
  )
  SELECT DISTINCT own.identity AS own, format('%s %s', used.type, used.identity) AS used,
    (own.identity ~ '( on keyroster.api_keys$|^keyroster.joined_)')::text AS adopted,
    (refclassid IN ('pg_class'::regclass, 'pg_type'::regclass))::text AS data
  FROM ours JOIN pg_depend USING (classid, objid),
    pg_identify_object(classid, objid, 0) AS own, pg_identify_object(refclassid, refobjid, 0) AS used
  WHERE used.schema NOT IN ('pg_catalog', 'pg_toast', 'keyroster')
    AND (classid <> 'pg_rewrite'::regclass OR own.identity ~ ' on keyroster.(api_keys|made)$')
  ORDER BY own, used`;

/** What a view over a vendor's own table runs is the vendor's to judge, so it is listed. */
export async function checkDependencies(client: Statements, isView: boolean): Promise<PartOfReport> {
  const { rows } = await client.query(FOREIGN);
  const isOfVendor = ({ adopted }: { adopted: string }) => isView && adopted === 'true';
  const findings = rows
    .filter(row => !isOfVendor(row))
    .map(({ own, used }) => ({ about: 'schema' as const, problem: `${own} depends on ${used}`, fix: FIX }));
  const run = new Set(rows.filter(row => isOfVendor(row) && row.data === 'false').map(({ used }) => used));
  return { findings, notLookedAt: Array.from(run, used => `${used}, which keyroster.api_keys runs`) };
}

const FIX =
  'its owner may run code as whoever reads or writes keys: see what it has done; drop what you made yourself, else export the keys ' +
  'and import them into a new database, after "keyroster migrate"';
