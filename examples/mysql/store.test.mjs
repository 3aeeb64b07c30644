/** `TEST_DATABASE_URL=mysql://… node --test store.test.mjs`: over a table as yours in a database of its own, as all rows are deleted. */
import { after, test } from 'node:test';
import { conformanceChecks } from 'keyroster/conformance';
import { createConnection } from 'mysql2/promise';
import { MySqlStore } from './store.mjs';

const url = process.env.TEST_DATABASE_URL;
const { TABLE, kept, rowOf } = await import(process.env.ROWS ?? './rows.mjs');
const database = await createConnection(url);
after(() => database.end());
await database.query("SET time_zone = '+00:00'");

const column = `SELECT COLUMN_NAME AS name, DATA_TYPE AS type, DATETIME_PRECISION AS decimals FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND COLUMN_NAME IN ('created_at', 'createdAt')`;
const [[{ name, type, decimals }]] = await database.query(column, [TABLE]);

/** The time with the decimals of the column, of those that a TIMESTAMP has. */
function cut(time) {
  const [first, last] = type === 'timestamp' ? ['1970-01-02', '2038-01-18'] : ['1000', '9999'];
  const possible =
    time < first ? `${first}${time.slice(10)}` : time > last ? `${last}${time.slice(10)}` : time;
  return `${possible.slice(0, decimals ? 20 + decimals : 19).padEnd(decimals ? 26 : 0, '0')}Z`;
}

async function put({ content }, account, { created_at, ...fields }) {
  const [organization, record] = kept(account, { ...fields, created_at: cut(created_at) });
  const row = { ...rowOf(organization, record), [name]: record.created_at.slice(0, -1) };
  await database.query('REPLACE INTO ?? SET ?', [TABLE, row]);
  const others = content.get(organization)?.filter(({ id }) => id !== record.id) ?? [];
  content.set(organization, [...others, record]);
}

const checks = conformanceChecks({
  async open(given) {
    await database.query('DELETE FROM ??', [TABLE]);
    const roster = new MySqlStore(url);
    const store = { roster, content: new Map(), close: () => roster.close() };
    for (const [account, records] of given) for (const record of records) await put(store, account, record);
    return store;
  },
  change: put,
});
for (const { name, run } of checks) test(name, run);
