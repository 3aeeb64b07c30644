/** A page reads the same few pages of a store wherever its cursor is, also far outside of the times that are asked for. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { listApiKeys } from '../../../src/service/postgres/pages/list-api-keys.ts';
import {
  type PageReads,
  READER_SETTINGS,
  type Statement,
} from '../../../src/service/postgres/pages/reads.ts';
import { openFile } from '../../../src/service/sqlite/connection.ts';
import { pageReader } from '../../../src/service/sqlite/pages/list-api-keys.ts';
import type { ApiKeyId, OrganizationId, WorkspaceId } from '../../../src/shared/record/identifier.ts';
import type { CreationRange, ListQuery } from '../../../src/shared/record/list-query.ts';
import type { Timestamp } from '../../../src/shared/record/timestamp.ts';
import { firstKeys } from '../../support/changing-roster.ts';
import { connect } from '../../support/connect.ts';
import { OWN_TABLE } from '../../support/own-table.ts';
import { organizationIn, sqlite } from '../../support/roster.ts';
import { atEndOf, type Scope, suiteScope } from '../../support/scope.ts';
import { postgres, type TestStore } from '../../support/stores.ts';

const KEYS = 32_000;
const LIMIT = 20;
/** A page's rows may each be in another page of the store; those of the workspace come from three ranges. */
const MOST = 40;
/** A fifth of the keys are older than all that were created at once, and a fifth are newer. */
const AT_ONCE = 1_700_000_000_000_000n as Timestamp;
const timeOf = (number: number) =>
  (AT_ONCE + BigInt(Math.min(0, number - KEYS / 5) + Math.max(0, number - (4 * KEYS) / 5))) as Timestamp;
const keys = firstKeys(KEYS).map((key, number) => ({ ...key, createdAt: timeOf(number) }));
const idAt = (part: number) => keys[Math.floor((KEYS - 1) * part)]?.id as ApiKeyId;

const shift = (time: bigint, by: number) => (time + BigInt(by)) as Timestamp;
const times = [shift(AT_ONCE, -KEYS / 10), AT_ONCE, shift(AT_ONCE, 1), shift(AT_ONCE, KEYS / 10)];
const ranges: CreationRange[] = [
  ...times.flatMap(time => [{ from: time }, { before: time }]),
  { from: AT_ONCE, before: shift(AT_ONCE, 1) },
  { from: times[2] as Timestamp, before: times[0] as Timestamp },
];
const workspaceId = 'wrkspc_a' as WorkspaceId;
const queries: ListQuery[] = [
  { filter: {} },
  { filter: { workspaceId } },
  { filter: { status: 'active' as const }, scope: { workspaceId } },
].flatMap(restrictions =>
  ranges.flatMap(created =>
    (['after', 'before'] as const).flatMap(direction =>
      [0.1, 0.5, 0.9].map(part => ({
        limit: LIMIT,
        cursor: { direction, id: idAt(part) },
        created,
        ...restrictions,
      })),
    ),
  ),
);

/** The pages of the store that are read for this page. */
type PagesRead = (query: ListQuery) => Promise<number>;

const skip = existsSync('/proc/self/io') ? false : 'this system does not tell what a process reads';
const kinds = [
  { kind: sqlite, measured: measuredSqlite, options: { skip } },
  { kind: postgres, measured: measuredPostgres, options: {} },
];
for (const { kind, measured, options } of kinds)
  describe(`over ${kind.name}, of ${KEYS} keys, most of which were created at once`, options, () => {
    const scope = suiteScope();
    let pagesRead: PagesRead;
    before(async () => {
      const made = await kind.create();
      atEndOf(scope, () => made.remove());
      const { id } = await organizationIn(made, keys);
      pagesRead = await measured(scope, made, id);
    });

    test('a page reads few pages, with cursors far outside of the range on both sides', async t => {
      let worst = 0;
      for (const query of queries) {
        const read = await pagesRead(query);
        worst = Math.max(worst, read);
        assert.ok(read <= MOST, `${read} pages: ${inspect(query)}`);
      }
      t.diagnostic(`${worst} pages at most`);
    });
  });

/** What SQLite asks the operating system for when it has nothing in its own cache. */
async function measuredSqlite(
  scope: Scope,
  { url }: TestStore,
  organization: OrganizationId,
): Promise<PagesRead> {
  const database = openFile(url.slice('sqlite:'.length), { readOnly: true });
  atEndOf(scope, () => database.close());
  const pageBytes = Number(database.prepare('PRAGMA page_size').get()?.page_size);
  const bytesRead = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const measure = (run: () => unknown) => {
    run(); // prepares its statements
    database.exec('PRAGMA shrink_memory');
    const before = bytesRead();
    run();
    return Math.floor((bytesRead() - before) / pageBytes);
  };
  const { listApiKeys } = pageReader(database, () => []);
  return async query => measure(() => listApiKeys(organization, query));
}

/** What PostgreSQL counts. */
async function measuredPostgres(
  scope: Scope,
  { url }: TestStore,
  organization: OrganizationId,
): Promise<PagesRead> {
  const client = await connect(scope, url);
  await client.query(READER_SETTINGS);
  const measure = async ({ text, values }: Pick<Statement, 'text' | 'values'>) => {
    const explained = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`;
    const { rows } = await client.query({ text: explained, values: [...values] });
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    return Number(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
  };
  return async query => {
    let read = 0;
    const pages = {
      rows: async <Row extends unknown[]>({ text, values }: Statement) => {
        read += await measure({ text, values });
        return (await client.query({ text, values: [...values], rowMode: 'array' })).rows as Row[];
      },
    };
    const reads = { table: { current: () => OWN_TABLE }, pages: () => pages } as unknown as PageReads;
    await listApiKeys(reads, organization, query);
    return read;
  };
}
