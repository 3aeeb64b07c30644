/** Tables of public projects: what a proposal says of them, and each page from them against SQL. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkStore } from '../../../src/operator/check-store.ts';
import type { ApiKey } from '../../../src/service/roster/api-key.ts';
import type { Filter } from '../../../src/shared/record/filters.ts';
import { LIFECYCLE_FIELDS } from '../../../src/shared/record/lifecycle.ts';
import { STATUSES } from '../../../src/shared/record/status.ts';
import { assertPage } from '../../support/adopted/adopted-table.ts';
import { proposalFor, sourcesOf } from '../../support/adopted/proposals.ts';
import { publicSchemas } from '../../support/adopted/public-schemas.ts';
import { adopt, examine, vendorDatabase } from '../../support/adopted/vendor-database.ts';
import type { MappingFile } from '../../support/adopted/vendor-table.ts';
import { readerOf } from '../../support/opened.ts';
import { storeAt } from '../../support/store-at.ts';

const LISTED =
  'r(organization, id, name, created, creator, type, hint, status, workspace, expires_at, last_used_at)';
/** What a database sets, so that no time depends on it. */
const ZONE = 'America/New_York';
const text = (time: string) =>
  `to_char(${time}::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
const declared = (field: string) =>
  `json_build_object('field', json_build_object('name', '${field}'), 'value', ${text(field)})`;
const keyWith = (fields: readonly string[]) =>
  `json_build_object('id', id::text, 'name', name, 'createdAt', (extract(epoch FROM created) * 1000000)::bigint::text,
  'createdBy', json_build_object('id', creator::text, 'type', type), 'partialKeyHint', hint, 'status', status, 'workspaceId', workspace::text,
  'declared', json_build_array(${fields.map(declared)}))`;

describe('the table of', () => {
  for (const { project, table, given = '', columns, row, decided, listed } of publicSchemas)
    test(`${project} is ${listed ? 'listed as SQL reads it' : 'refused with what is missing'}`, async t => {
      const { url, client } = await vendorDatabase(t);
      const rows = `INSERT INTO ${table} SELECT ${row} FROM generate_series(1, 40) AS i`;
      const zone = `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET TimeZone = '${ZONE}'`;
      await client.query(`${zone}; ${given}; CREATE TABLE ${table} (${columns}); ${rows}`);
      const proposal = await proposalFor(url, table);
      const sources = sourcesOf(proposal) as Record<string, { todo?: string }>;
      if (Array.isArray(decided)) return assert.match(sources[decided[0]]?.todo ?? '', decided[1]);
      const todo = Object.keys(sources).filter(name => sources[name]?.todo !== undefined);
      assert.deepEqual(todo.toSorted(), Object.keys(decided).toSorted());
      const fields = { ...proposal.file.fields, ...decided };
      const mapping = { ...proposal.file, fields } as MappingFile;
      assert.deepEqual(await examine(url, mapping), { faults: [], warnings: [] });
      await adopt(url, mapping);
      const reader = await readerOf(t, storeAt(url));
      const key = keyWith(LIFECYCLE_FIELDS.filter(name => name in fields));
      const found = await client.query(
        `SELECT organization::text, json_agg(${key})::text AS keys FROM (SELECT ${listed} FROM ${table}) AS ${LISTED}
         WHERE organization IS NOT NULL GROUP BY 1`,
      );
      assert(found.rows.length > 1);
      for (const { organization, keys: told } of found.rows) {
        const micros = (name: string, value: unknown) =>
          name === 'createdAt' ? BigInt(String(value)) : value;
        const keys: ApiKey[] = JSON.parse(told, micros);
        const filters: Filter[] = [{}];
        if (mapping.filters.includes('status')) filters.push(...STATUSES.map(status => ({ status })));
        if (mapping.filters.includes('created_by_user_id'))
          filters.push({ creatorId: keys[0]?.createdBy.id as NonNullable<Filter['creatorId']> });
        for (const filter of filters)
          for (const direction of ['after', 'before'] as const)
            for (const id of [null, ...keys.map(key => key.id)])
              await assertPage(reader, organization, keys, {
                limit: 5,
                filter,
                cursor: id && { direction, id },
              });
      }
      assert.deepEqual((await checkStore(storeAt(url))).findings, []);
    });
});
