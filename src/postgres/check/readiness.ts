import { StoreUnavailable } from '../../roster/errors.ts';
import { planCauses } from '../../roster/page-shapes.ts';
import { isUsable, unusableSchema } from '../../roster/schema.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { MIGRATIONS, ownSchema, parseSchema } from '../schema.ts';
import type { Lanes } from '../serving/lanes.ts';
import { checkPlans } from './plans.ts';
import { type ReplayLag, WAL_POSITION, type WalPosition } from './replay-lag.ts';
import { MISSING_SETTINGS } from './shard-plans.ts';
import { servedOrganization } from './shard-readiness.ts';

/**
 * Checks before the service is first ready that each page has its index: it would be slow for all who ask for such pages. Once that is
 * so, the check costs nothing. On Citus a shard that answers stands for all. Returns what doesn't work while the rest is served. Throws
 * `StoreUnavailable`.
 */
export function plansReadiness(url: PostgresUrl, lanes: Lanes): () => Promise<readonly string[]> {
  let found: readonly string[] | undefined;
  return async () => {
    if (found) return found;
    const plans = await checkPlans(url, async () => [await servedOrganization(lanes)]);
    const [cause, ...more] = planCauses(plans ?? [], String);
    if (cause) {
      const others = more.length > 0 ? `, and ${more.length} more` : '';
      throw new StoreUnavailable(`PostgreSQL: ${cause.problem}${others}: run "keyroster check"`);
    }
    found =
      plans === null ? [`${MISSING_SETTINGS.problem}: ${MISSING_SETTINGS.fix}, then start it again`] : [];
    return found;
  };
}

/** A standby that is behind by more says so. */
const TOLD_LAG_SECONDS = 10;
/** And by more than this isn't ready: it still takes an admin key that was revoked as long ago. */
const MAX_LAG_SECONDS = 60;

/** One that is being made anew (`REINDEX CONCURRENTLY`) is valid until the new one, `…_ccnew`, is. */
const STATE = `
  SELECT ${MIGRATIONS},
    (SELECT string_agg(relname, ', ' ORDER BY relname) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE relname ~ '^(api_keys_(pkey|listing)|keyroster_(cursor|listing))' AND relname !~ '_cc(new|old)[0-9]*$'
        AND NOT (indisvalid AND indisready)),
    ${WAL_POSITION}`;

type State = [
  migrations: string | null,
  invalid: string | null,
  received: string | null,
  replayed: string | null,
  isReceiving: string,
];

/** On Citus they are on the coordinator, which a worker that the URL names may not reach. */
const ADMIN_KEY = {
  name: 'keyroster_admin_key',
  text: 'SELECT id FROM keyroster.admin_keys LIMIT 1',
  values: [],
};

/**
 * Checks the schema while the service runs, as a newer release may migrate the database meanwhile. Returns what doesn't work while
 * the rest is served. Throws `StoreUnavailable`.
 */
export async function checkReadiness(lanes: Lanes, replayLag: ReplayLag): Promise<string[]> {
  const statement = { name: 'keyroster_readiness', text: STATE, values: [] };
  const [row] = (await lanes.patient.rows<State>(statement)) as [State];
  const [migrations, invalid] = row;
  const schema = parseSchema(migrations);
  if (!isUsable(schema, ownSchema(), 'read'))
    throw new StoreUnavailable(unusableSchema('PostgreSQL', schema, ownSchema()).message);
  if (lanes.hasCitus) {
    await servedOrganization(lanes);
    await lanes.patient.rows(ADMIN_KEY);
  }
  const position = walPositionOf(row);
  const lag = replayLag.secondsAt(position);
  const behind = `this standby is ${lag} s behind, and so are revocations of admin keys`;
  if (lag > MAX_LAG_SECONDS) throw new StoreUnavailable(`PostgreSQL: ${behind}`);
  return [
    ...(position.isReceiving ? [] : [NOT_RECEIVING]),
    ...(lag > TOLD_LAG_SECONDS ? [behind] : []),
    ...(invalid === null
      ? []
      : [`invalid indexes, so some pages are slow: ${invalid}: REINDEX INDEX CONCURRENTLY`]),
    ...lanes.problems(),
  ];
}

const NOT_RECEIVING =
  'this standby receives nothing from its primary, and so no revocation of an admin key: look into the log of PostgreSQL';

function walPositionOf([, , received, replayed, isReceiving]: State): WalPosition {
  const numberOf = (position: string | null) => (position === null ? null : Number(position));
  return { received: numberOf(received), replayed: numberOf(replayed), isReceiving: isReceiving === 't' };
}
