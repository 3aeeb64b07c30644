import { StoreUnavailable } from '../../roster/errors.ts';
import { planCauses } from '../../roster/page-shapes.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { migrations } from '../schema.ts';
import type { Lanes } from '../serving/lanes.ts';
import { checkPlans } from './plans.ts';
import { requireServedShard } from './shard-readiness.ts';

/**
 * Checks before the service is first ready that each page has its index: it would be slow for all who ask for such pages. Once that is
 * so, the check costs nothing. The function throws `StoreUnavailable`.
 */
export function plansReadiness(url: PostgresUrl): () => Promise<void> {
  let isReady = false;
  return async () => {
    if (isReady) return;
    const [cause, ...more] = planCauses((await checkPlans(url, 1)) ?? [], String);
    if (cause) {
      const others = more.length > 0 ? `, and ${more.length} more` : '';
      throw new StoreUnavailable(`PostgreSQL: ${cause.problem}${others}: run "keyroster check"`);
    }
    isReady = true;
  };
}

/** A standby that is behind by more says so. */
const TOLD_LAG_SECONDS = 10;
/** And by more than this isn't ready: it still takes an admin key that was revoked as long ago. */
const MAX_LAG_SECONDS = 60;

/** One that is being made anew (`REINDEX CONCURRENTLY`) is valid until the new one, `…_ccnew`, is. */
const STATE = `
  SELECT (SELECT count(*) FROM keyroster.migrations),
    (SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relname ~ '^(api_keys(_p[0-9]+)?_(pkey|listing)|keyroster_(cursor|listing))' AND relname !~ '_cc(new|old)[0-9]*$'
        AND NOT (indisvalid AND indisready)),
    CASE WHEN NOT pg_is_in_recovery() THEN 0
      WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() AND EXISTS (SELECT pid FROM pg_stat_wal_receiver) THEN 0
      ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::integer END`;

/**
 * Checks the schema while the service runs, as a newer release may migrate the database meanwhile. Returns what doesn't work while
 * the rest is served. Throws `StoreUnavailable`.
 */
export async function checkReadiness(lanes: Lanes): Promise<string[]> {
  const [row] = await lanes.patient.rows<[version: string, invalid: string | null, lag: string | null]>({
    name: 'keyroster_readiness',
    text: STATE,
    values: [],
  });
  const [version, invalid = null, lag] = row ?? [];
  if (Number(version) !== migrations.length)
    throw new StoreUnavailable(`PostgreSQL: schema ${version}, this release has ${migrations.length}`);
  if (lanes.hasCitus) await requireServedShard(lanes);
  const behind = `this standby is ${lag} s behind, and so are revocations of admin keys`;
  if (Number(lag) > MAX_LAG_SECONDS) throw new StoreUnavailable(`PostgreSQL: ${behind}`);
  return [
    ...(Number(lag) > TOLD_LAG_SECONDS ? [behind] : []),
    ...(invalid === null
      ? []
      : [`invalid indexes, so some pages are slow: ${invalid}: REINDEX INDEX CONCURRENTLY`]),
    ...lanes.problems(),
  ];
}
