import type { Client } from 'pg';
import type { CheckReport, PartOfReport } from '../../roster/check.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { openForSchema, withClient } from '../operator-connection.ts';
import type { Mapping } from '../vendor-table/mapping.ts';
import { listedRelation } from '../vendor-table/own-table.ts';
import { checkDependencies } from './dependencies.ts';
import { checkIndexes } from './indexes.ts';
import { checkRows } from './rows.ts';

/** What is wrong with a view over a vendor's own table. */
export type CheckVendorTable = (client: Client, mapping: Mapping) => Promise<PartOfReport>;

/** Looks at the indexes and the rows of the store, and changes nothing. Throws `Refused`. */
export function check(url: PostgresUrl, checkVendorTable: CheckVendorTable): Promise<CheckReport> {
  return withClient(openForSchema(url, 'read'), async client => {
    await client.query('SET statement_timeout = 0'); // that of the service's role is for pages
    const listed = await listedRelation(client);
    const { isView, mapping } = listed;
    const dependencies = await checkDependencies(client, isView);
    const vendor = mapping ? await checkVendorTable(client, mapping) : { findings: [], notLookedAt: [] };
    const rows = await checkRows(client, listed);
    const findings = [
      ...dependencies.findings,
      ...(await checkIndexes(client, listed)),
      ...vendor.findings,
      ...rows.findings,
    ];
    const unread = isView && !mapping ? [NO_MAPPING] : [];
    const notLookedAt = [...unread, ...dependencies.notLookedAt, ...vendor.notLookedAt];
    return { findings, keys: rows.keys, notLookedAt };
  });
}

const NO_MAPPING =
  'the table behind the view keyroster.api_keys and its indexes: its comment is not a mapping; "keyroster adopt --mapping FILE --apply" makes it';
