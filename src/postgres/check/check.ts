import type { CheckOptions, CheckReport, Finding } from '../../roster/check.ts';
import { planCauses } from '../../roster/page-shapes.ts';
import { orRefused } from '../errors.ts';
import { openCurrentSchema } from '../writer-connection.ts';
import { listedRelation } from './adopted-mapping.ts';
import { planFixes } from './needed-indexes.ts';
import { checkPlans } from './plans.ts';
import { checkRows } from './rows.ts';

/** Looks at the plans and the rows of the store, and changes nothing. Throws `Refused` and `StoreUnavailable`. */
export async function check(url: string, options: CheckOptions): Promise<CheckReport> {
  const client = await openCurrentSchema(url);
  try {
    return await orRefused(async () => {
      const { mapping } = await listedRelation(client);
      const plans = await checkPlans(url);
      const fixOf = await planFixes(client, mapping);
      const ofPlans = planCauses(plans ?? [], String).map(
        (cause): Finding => ({ about: 'plan', problem: cause.problem, fix: fixOf(cause) }),
      );
      const rows = await checkRows(client, options, OWN_ROWS_FIX);
      return {
        findings: [...ofPlans, ...rows.findings],
        looked: { keys: rows.keys, shapes: plans?.length ?? 0 },
        notLookedAt: plans === null ? [PLANS_OF_CITUS] : [],
      };
    });
  } finally {
    await client.end();
  }
}

const PLANS_OF_CITUS = 'the plans of pages: with Citus each shard makes its own';
const OWN_ROWS_FIX = 'correct the rows with SQL';
