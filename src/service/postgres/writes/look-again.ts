/**
 * An import, and admin keys from a file, look at their organizations first and hold no lock of these rows: they may be many, on
 * many nodes of Citus, and an issuer may not lock them. So they look again right before they commit, and the last steps of a
 * deletion wait for those that do. Then either the deletion finds what they wrote, or they find that it has begun.
 *
 * There is one lock for all organizations, as it is held for a moment only. On Citus it is the coordinator's, through which all
 * writes go. The number is arbitrary: "KeyrLook" in ASCII.
 */
import type { OrganizationId } from '../../../shared/record/identifier.ts';
import { deletedMeanwhile } from '../../roster/writes/refusals.ts';
import { idList, type Statements } from '../statements.ts';

const LOCK = '5432882057307975531';

/** For a step of a deletion. */
export const AFTER_OTHERS = `SELECT pg_catalog.pg_advisory_xact_lock(${LOCK})`;

/** To be called when all else of the transaction is done. Throws `Refused`. */
export async function lookAgain(client: Statements, organizations: readonly OrganizationId[]): Promise<void> {
  await client.query(`SELECT pg_catalog.pg_advisory_xact_lock_shared(${LOCK})`);
  const { rows } = await client.query(COUNT, [idList(organizations)]);
  if (Number(rows[0]?.count) < organizations.length) throw deletedMeanwhile();
}

const COUNT = `
  SELECT pg_catalog.count(*)::text AS count FROM keyroster.organizations
  WHERE id IN (SELECT pg_catalog.unnest(pg_catalog.string_to_array($1::text, ' '))) AND deleted_at IS NULL`;
