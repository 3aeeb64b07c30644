import type { CheckOptions, CheckReport, Finding } from '../../roster/check.ts';
import { planCauses } from '../../roster/page-shapes.ts';
import { isNextNumberTaken, NEXT_NUMBER_IS_TAKEN } from '../audit-log-numbers.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { orRefused, RUN_AGAIN } from '../errors.ts';
import { openForSchema } from '../operator-connection.ts';
import { listedRelation } from './adopted-mapping.ts';
import { planFixes } from './needed-indexes.ts';
import { checkPlans } from './plans.ts';
import { checkRows } from './rows.ts';
import { MISSING_SETTINGS, organizationsOfShards } from './shard-plans.ts';
import { checkVendorTable } from './vendor-table.ts';

/** Looks at the plans and the rows of the store, and changes nothing. Throws `Refused` and `StoreUnavailable`. */
export async function check(url: PostgresUrl, options: CheckOptions): Promise<CheckReport> {
  const client = await openForSchema(url, 'read');
  try {
    return await orRefused(async () => {
      await client.query('SET statement_timeout = 0'); // that of the service's role is for pages
      const relation = await listedRelation(client);
      const { isView, mapping, renamed } = relation;
      const plans = await checkPlans(url, query => organizationsOfShards(query, CHECKED_SHARDS));
      const fixOf = await planFixes(client, relation);
      const ofPlans = planCauses(plans ?? [], String).map(
        (cause): Finding => ({ about: 'plan', problem: cause.problem, fix: fixOf(cause) }),
      );
      const vendor = mapping && !renamed ? await checkVendorTable(client, mapping) : NOTHING;
      const rows = await checkRows(client, options, relation);
      const notLookedAt = [...vendor.notLookedAt];
      if (plans === null) notLookedAt.push(PLANS_WITHOUT_SETTINGS);
      if (isView && !mapping) notLookedAt.push(NO_MAPPING);
      return {
        findings: [
          ...(renamed ? [renamed] : []),
          ...(plans === null ? [{ about: 'plan', ...MISSING_SETTINGS } as const] : []),
          ...ofPlans,
          ...vendor.findings,
          ...rows.findings,
          ...((await isNextNumberTaken(client)) ? [TAKEN_NUMBER] : []),
        ],
        looked: { keys: rows.keys, shapes: plans?.length ?? 0 },
        notLookedAt,
      };
    }, RUN_AGAIN);
  } finally {
    await client.end();
  }
}

const TAKEN_NUMBER: Finding = {
  about: 'audit_log',
  problem: `${NEXT_NUMBER_IS_TAKEN}: every write is refused`,
  fix: 'run "keyroster migrate"',
};
const NOTHING: Awaited<ReturnType<typeof checkVendorTable>> = { findings: [], notLookedAt: [] };
/** Of Citus: the plans of a shard take some 50 ms. */
const CHECKED_SHARDS = 100;
const PLANS_WITHOUT_SETTINGS =
  'the plans of pages: without these settings they change with the statistics of each shard';
const NO_MAPPING =
  'the table behind the view keyroster.api_keys: its comment is not a mapping; "keyroster adopt --mapping FILE --apply" makes it';
