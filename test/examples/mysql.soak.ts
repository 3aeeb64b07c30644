/** The store of examples/mysql, as docs/mysql.md has it used, over a real MariaDB and a real MySQL, and beside our PostgreSQL. */

import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeApiKey } from '../../bench/roster/make-api-keys.ts';
import type { ApiKey } from '../../src/service/roster/api-key.ts';
import type { RosterReader } from '../../src/service/roster/pages/page.ts';
import type { Filter } from '../../src/shared/record/filters.ts';
import type { ApiKeyId, OrganizationId } from '../../src/shared/record/identifier.ts';
import type { Cursor, ListQuery } from '../../src/shared/record/list-query.ts';
import { parseTimestamp, type Timestamp } from '../../src/shared/record/timestamp.ts';
import { blocksIn } from '../support/doc-blocks.ts';
import { freePort } from '../support/free-port.ts';
import { install, installPackages } from '../support/installed-package.ts';
import { insertKeys, type MySqlServer, ownMySql, rowsRead, SERVER_NAMES } from '../support/own-mysql.ts';
import { atEndOf, type Scope, suiteScope } from '../support/scope.ts';
import { until } from '../support/until.ts';

const DRIVER = 'mysql2@3.24.6';
const LIMIT = 20;
const KEYS = 200_000;
/** So many keys in the middle have the same time. */
const [TIES, FIRST_TIE] = [5_000, 100_000];

// biome-ignore lint/suspicious/noExplicitAny: mysql2 isn't a dependency, so its types aren't there
type Driver = any;
type Store = RosterReader & { close(): Promise<void> };

const keys: readonly ApiKey[] = Array.from({ length: KEYS }, (_, number) => {
  const tie = number >= FIRST_TIE && number < FIRST_TIE + TIES;
  return { ...makeApiKey(number), ...(tie && { createdAt: makeApiKey(FIRST_TIE).createdAt }) };
});
const [some] = keys.slice(-1) as [ApiKey];
const every = {
  status: some.status,
  ...(some.workspaceId && { workspaceId: some.workspaceId }),
  creatorId: some.createdBy.id,
};
/** One of each combination, and one that no key passes. */
const filters: readonly Filter[] = [
  ...Array.from({ length: 8 }, (_, bits) =>
    Object.fromEntries(Object.entries(every).filter((_, index) => (bits >> index) & 1)),
  ),
  { status: 'archived' },
];
const cursorAt = (depth: number, direction: Cursor['direction']): Cursor => ({
  direction,
  id: keys[KEYS - 1 - depth]?.id as ApiKeyId,
});
const query = (cursor: Cursor | null, filter: Filter, created?: ListQuery['created']): ListQuery => ({
  ...{ limit: LIMIT, cursor, filter },
  ...(created && { created }),
});

/** The package with the driver, and the example where the page puts it. */
async function installExample(scope: Scope): Promise<{ folder: string; problem: string | undefined }> {
  const { folder } = await installPackages(scope);
  const problem = await install(folder, [DRIVER]);
  const [, ...commands] = String(blocksIn('docs/mysql.md')[0]?.text).trim().split('\n');
  for (const command of commands) execFileSync('sh', ['-c', command], { cwd: folder });
  return { folder, problem };
}
const { folder, problem } = await installExample(suiteScope());

for (const name of SERVER_NAMES)
  describe(`the store of examples/mysql over ${name}`, async () => {
    const scope = suiteScope();
    const server = await ownMySql(scope, name);
    if (problem) return test(problem, { skip: true }, () => {});
    if (typeof server === 'string') return test(`nothing was tested: ${server}`, { skip: true }, () => {});
    const example = join(folder, 'mysql');
    const driver: Driver = createRequire(join(folder, 'package.json'))('mysql2/promise');
    const url = (database: string, user = 'root') => `mysql://${user}@127.0.0.1:${server.port}/${database}`;
    const sql = (file: string) => readFileSync(join(example, file), 'utf8');
    let root: Driver;
    const connected = async () => {
      root = await driver.createConnection({ uri: url(''), multipleStatements: true });
    };
    const newDatabase = async (database: string, ...statements: string[]) =>
      root.query(`CREATE DATABASE ${database} COLLATE utf8mb4_general_ci; USE ${database}; DROP USER IF EXISTS keyroster;
        ${statements.join('\n')}`);
    const storeOver = async (database: string): Promise<Store> => {
      const { MySqlStore } = await import(pathToFileURL(join(example, 'store.mjs')).href);
      const store = new MySqlStore(url(database, 'keyroster:change-this'));
      atEndOf(scope, () => store.close());
      return store;
    };
    before(connected);
    atEndOf(scope, () => root?.end());

    const passesTheKit = async (database: string, rows: string, statements: string[]) => {
      await newDatabase(database, ...statements);
      const { NODE_TEST_CONTEXT: _, ...outside } = process.env;
      const { stdout, status } = spawnSync(
        process.execPath,
        ['--test', '--test-reporter=tap', 'store.test.mjs'],
        {
          ...{ cwd: example, encoding: 'utf8' },
          env: { ...outside, TEST_DATABASE_URL: url(database), ROWS: rows },
        },
      );
      assert.equal(status, 0, stdout);
      assert.match(stdout, /^# pass 21$/m);
    };

    for (const type of ['datetime(6)', 'datetime(3)', 'datetime', 'timestamp(6)', 'timestamp'])
      test(`passes the checks of keyroster/conformance, with created_at as a ${type}`, () => {
        const table = sql('table.sql').replace('created_at datetime(6)', `created_at ${type}`);
        return passesTheKit(`kit_${type.replace(/\W/g, '')}`, './rows.mjs', [table, sql('listing.sql')]);
      });

    for (const framework of ['laravel', 'prisma'])
      test(`passes them over the table of ${framework}`, () => {
        const table = readFileSync(`test/examples/mysql/${framework}.sql`, 'utf8');
        return passesTheKit(framework, `./${framework}/rows.mjs`, [table, sql(`${framework}/listing.sql`)]);
      });

    test('reads the rows of a page over numbers as IDs, and none for a text that is no number', async () => {
      const rows = keys
        .slice(0, 20_000)
        .map((_, number) => [
          ...[number + 1, 'App\\Models\\User', 7, 'a name', String(number)],
          `2024-01-01 00:00:${String(Math.floor(number / 1_000)).padStart(2, '0')}`,
        ]);
      await root.query('USE laravel; DELETE FROM personal_access_tokens');
      const columns = 'id, tokenable_type, tokenable_id, name, token, created_at';
      await root.query(`INSERT INTO personal_access_tokens (${columns}) VALUES ?`, [rows]);
      await root.query('ANALYZE TABLE personal_access_tokens');
      const store = await storeOver('laravel');
      for (const id of ['19999', '9500', '42', '9500x', '09500', 'x', '99999999999999999999'])
        for (const direction of ['after', 'before'] as const)
          for (const filter of [{}, { status: 'active' }, { creatorId: '8' }, { workspaceId: 'x' }]) {
            const asked = query({ direction, id: id as ApiKeyId }, filter as Filter);
            const read = await rowsRead(root, () => store.listApiKeys('7' as OrganizationId, asked));
            assert.ok(read <= LIMIT + 4, `${read} rows: ${id} ${direction} ${JSON.stringify(filter)}`);
          }
    });

    test('reads no row for a time that a TIMESTAMP cannot hold', async () => {
      const table = sql('table.sql').replace('created_at datetime(6)', 'created_at timestamp(6)');
      await newDatabase('timestamps', table, sql('listing.sql'));
      await insertKeys(root, 'api_keys', keys.slice(0, 1_000));
      const store = await storeOver('timestamps');
      const [early, late] = ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59Z'].map(parseTimestamp);
      for (const created of [{ from: late }, { before: early }] as ListQuery['created'][]) {
        const asked = query(null, {}, created);
        const rows = await rowsRead(root, () => store.listApiKeys('acct_1' as OrganizationId, asked));
        assert.ok(rows <= 4, `${rows} rows`);
      }
    });

    describe('of a vendor', () => {
      let store: Store;
      let listed: (query: ListQuery) => Promise<unknown>;
      before(async () => {
        await newDatabase('vendor', sql('table.sql'), sql('listing.sql'));
        for (let first = 0; first < KEYS; first += 1_000)
          await insertKeys(root, 'api_keys', keys.slice(first, first + 1_000));
        await insertKeys(root, 'api_keys', [{ ...makeApiKey(KEYS), id: 'theirs' as ApiKeyId }], 'acct_2');
        await root.query('ANALYZE TABLE api_keys');
        store = await storeOver('vendor');
        listed = query => store.listApiKeys('acct_1' as OrganizationId, query);
      });

      test('reads the rows of the page and at most four more, whatever the filter, the direction, the depth and the times', async t => {
        const [[{ version }]] = await root.query('SELECT VERSION() AS version');
        const [oldest, newest] = [keys[10]?.createdAt, keys[KEYS - 10]?.createdAt] as [Timestamp, Timestamp];
        let most = 0;
        for (const filter of filters)
          for (const created of [
            undefined,
            { from: oldest },
            { before: newest },
            { from: oldest, before: newest },
          ])
            for (const depth of [null, 5, KEYS - 1 - FIRST_TIE - TIES / 2, 190_000])
              for (const direction of ['after', 'before'] as const) {
                const asked = query(depth === null ? null : cursorAt(depth, direction), filter, created);
                const rows = await rowsRead(root, () => listed(asked));
                most = Math.max(most, rows);
                assert.ok(
                  rows <= LIMIT + 4,
                  `${rows} rows: ${JSON.stringify(filter)} at ${depth} ${direction}`,
                );
              }
        t.diagnostic(`${name} ${version}: at most ${most} rows read for a page of ${LIMIT}`);
      });

      test('has a user that cannot read the hash', async () => {
        const theirs = await driver.createConnection(url('vendor', 'keyroster:change-this'));
        for (const columns of ['*', 'key_hash'])
          await assert.rejects(theirs.query(`SELECT ${columns} FROM api_keys`), /denied/);
        await assert.rejects(theirs.query('HANDLER api_keys OPEN'), /denied/);
        const guess = 'SELECT id FROM api_keys NATURAL JOIN (SELECT ? AS key_hash) AS guess';
        await assert.rejects(theirs.query(guess, [Buffer.from(some.id)]), /denied/);
        await theirs.end();
      });

      test('is busy, and not broken, where its user may ask no more', async () => {
        await root.query('ALTER USER keyroster WITH MAX_QUERIES_PER_HOUR 1');
        const limited = await storeOver('vendor');
        const asked = limited.listApiKeys('acct_1' as OrganizationId, query(null, {}));
        await assert.rejects(asked, { name: 'StoreBusy' });
        await root.query('ALTER USER keyroster WITH MAX_QUERIES_PER_HOUR 0');
      });

      test('is served as the page says: 503 while the server is away, and the same page after', async t => {
        const PORT = String(await freePort());
        const env = { ...process.env, DATABASE_URL: url('vendor', 'keyroster:change-this'), PORT };
        const child = spawn(process.execPath, ['server.mjs'], { cwd: example, env, stdio: 'inherit' });
        atEndOf(t, () => child.kill('SIGKILL'));
        const headers = { authorization: 'Bearer of-ann', 'vendor-version': '2023-06-01' };
        const ask = (search: string) =>
          fetch(`http://127.0.0.1:${PORT}/v1/organizations/api_keys?${search}`, { headers });
        const first = await until('the server listens', () => ask('limit=1').catch(() => null));
        const text = await first.text();
        assert.equal(JSON.parse(text).first_id, some.id);
        for (const created of [
          'created_from=0000-01-01T00:00:00Z',
          'created_before=9999-12-31T23:59:59.999999Z',
        ])
          assert.equal(JSON.parse(await (await ask(`limit=1&${created}`)).text()).first_id, some.id);
        assert.equal((await ask('after_id=theirs')).status, 400);
        await (server as MySqlServer).stop();
        assert.equal((await ask('limit=1')).status, 503);
        await (server as MySqlServer).start();
        await connected();
        await root.query('USE vendor');
        assert.equal(await (await ask('limit=1')).text(), text);
      });
    });
  });
