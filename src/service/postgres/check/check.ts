import type { Client } from 'pg';
import type { CheckOptions, CheckReport, Finding } from '../../roster/check.ts';
import { isNextNumberTaken, NEXT_NUMBER_IS_TAKEN } from '../audit-log-numbers.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { hasCitus } from '../distribution/state.ts';
import { orRefused, RUN_AGAIN } from '../errors.ts';
import { openForSchema } from '../operator-connection.ts';
import type { Mapping } from '../vendor-table/mapping.ts';
import { listedRelation } from '../vendor-table/own-table.ts';
import { clockProblem } from './clock.ts';
import { checkDependencies } from './dependencies.ts';
import { checkIndexes } from './indexes.ts';
import { checkRows } from './rows.ts';
import { lacksReaderSettings, MISSING_SETTINGS } from './shards.ts';

type CheckVendorTable = (
  client: Client,
  mapping: Mapping,
) => Promise<Pick<CheckReport, 'findings' | 'notLookedAt'>>;

/** Looks at the indexes and the rows of the store, and changes nothing. Throws `Refused`. */
export async function check(
  url: PostgresUrl,
  options: CheckOptions,
  checkVendorTable: CheckVendorTable,
): Promise<CheckReport> {
  const client = await openForSchema(url, 'read');
  try {
    return await orRefused(async () => {
      await client.query('SET statement_timeout = 0'); // that of the service's role is for pages
      const listed = await listedRelation(client);
      const { isView, mapping } = listed;
      const findings: Finding[] = [];
      const notLookedAt = isView && !mapping ? [NO_MAPPING] : [];
      if ((await hasCitus(client)) && (await lacksReaderSettings(client))) findings.push(MISSING_SETTINGS);
      const clock = await clockProblem(client);
      if (clock) findings.push({ about: 'clock', ...clock });
      const dependencies = await checkDependencies(client, isView);
      findings.push(...dependencies.findings);
      notLookedAt.push(...dependencies.notLookedAt);
      const indexes = await checkIndexes(client, listed);
      findings.push(...indexes.findings);
      if (mapping) {
        const vendor = await checkVendorTable(client, mapping);
        findings.push(...vendor.findings);
        notLookedAt.push(...vendor.notLookedAt);
      }
      const rows = await checkRows(client, options, listed);
      findings.push(...rows.findings);
      if (await isNextNumberTaken(client)) findings.push(TAKEN_NUMBER);
      return { findings, looked: { keys: rows.keys, filters: indexes.filters }, notLookedAt };
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
const NO_MAPPING =
  'the table behind the view keyroster.api_keys and its indexes: its comment is not a mapping; "keyroster adopt --mapping FILE --apply" makes it';
