/**
 * Makes a SQLite store with this many API keys and prints its admin key: `node test/support/make-store.ts FILE KEYS`. It is for
 * sizes that would take long to import. It inserts rows without checks, in the table's own order, and builds the indexes
 * once, at the end.
 */

import { bareWriter } from '../../bench/roster/bare-writer.ts';
import { makeApiKey } from '../../bench/roster/make-api-keys.ts';
import { createStore, ORGANIZATION } from '../../bench/roster/store.ts';
import { renderApiKey } from '../../src/roster/api-key-record.ts';
import { openFile } from '../../src/sqlite/connection.ts';

const CACHE_KIB = 256 * 1024;

const [file = '', keys = ''] = process.argv.slice(2);
const secret = await createStore(file);
const database = openFile(file, { readOnly: false });
database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB}; BEGIN IMMEDIATE`);
const indexes = database
  .prepare(
    `SELECT name, sql FROM sqlite_schema WHERE tbl_name = 'api_keys' AND type = 'index' AND sql IS NOT NULL`,
  )
  .all();
for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
const write = bareWriter(database, ORGANIZATION);
for (let number = 0; number < Number(keys); number++) {
  const key = makeApiKey(number);
  write({ ...key, creatorId: key.createdBy.id, record: renderApiKey(key) });
}
for (const { sql } of indexes) database.exec(String(sql));
database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
database.close();
process.stdout.write(secret);
