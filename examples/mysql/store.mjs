/**
 * A store over a vendor's own table in MySQL 8 or MariaDB (docs/mysql.md), by mysql2. What the table has, the views tell. It passes
 * the checks of keyroster/conformance.
 */
import { pageItem, StoreBusy, StoreUnavailable } from 'keyroster';
import { createPool } from 'mysql2/promise';

/** The column of each filter, in the order in which the names of the views have them. */
const COLUMNS = { status: 'status', workspaceId: 'workspace', creatorId: 'creator' };
/** What stands for a column that the views don't have: a comparison with it reads no row. */
const WITHOUT = { status: "'active'", workspace: 'NULL' };

/** Too many connections, of all or of this user; a query that somebody ended, or that took too long (MariaDB, MySQL). */
const BUSY = new Set([1040, 1203, 1226, 1317, 1969, 3024]);

/** What a column of times can hold: to compare a TIMESTAMP with other times both servers would read all rows. */
const TIMES = {
  datetime: ['1000-01-01T00:00:00.000000', '9999-12-31T23:59:59.999999'],
  timestamp: ['1970-01-01T00:00:01.000000', '2038-01-19T03:14:07.999999'],
};

export class MySqlStore {
  #pool;
  #views;

  constructor(uri) {
    // Times as text, as a `Date` has milliseconds only, and numbers over 53 bits too.
    this.#pool = createPool({ uri, dateStrings: true, supportBigNumbers: true });
    // A TIMESTAMP is read in the zone of the session, a DATETIME as it is.
    this.#pool.on('connection', connection => connection.query("SET time_zone = '+00:00'"));
  }

  close() {
    return this.#pool.end();
  }

  /** @type {import('keyroster').RosterReader['listApiKeys']} */
  async listApiKeys(organizationId, { limit, cursor, filter, created = {}, scope = {} }) {
    this.#views ??= await this.#findViews();
    const { names, types } = this.#views;
    const equalTo = values =>
      Object.entries(values).map(([name, value]) => {
        const column = COLUMNS[name] ?? name;
        return isEqual(types[column] ? column : WITHOUT[column], value);
      });
    const visible = equalTo({ organization: organizationId, ...scope });
    const wanted = [...visible, ...equalTo(filter)];
    const times = TIMES[types.created_at];
    if (created.from !== undefined) wanted.push(['created_at >= ?', textOf(created.from, times)]);
    if (created.before !== undefined) wanted.push(['created_at < ?', textOf(created.before, times)]);
    const [beyond, order] = cursor?.direction === 'before' ? ['>', 'ASC'] : ['<', 'DESC'];
    if (cursor) {
      const select = 'SELECT id, created_at FROM listed';
      const [key] = await this.#rows(select, [...visible, isEqual('id', cursor.id)]);
      if (!key) return null;
      // For `(created_at, id) < (?, ?)` they would read all rows before the cursor.
      const isNext = `(created_at ${beyond} ? OR (created_at = ? AND id ${beyond} ?))`;
      wanted.push([isNext, key.created_at, key.created_at, key.id]);
    }
    const filtered = Object.keys(COLUMNS).filter(name => name in filter || name in scope);
    const own = ['listing', ...filtered.map(name => COLUMNS[name])].join('_');
    const end = `ORDER BY created_at ${order}, id ${order} LIMIT ${limit + 1}`;
    const rows = await this.#rows(`SELECT * FROM ${names.has(own) ? own : 'listing'}`, wanted, end);
    const items = rows.slice(0, limit).map(itemOf);
    return { items: order === 'ASC' ? items.reverse() : items, hasMore: rows.length > limit };
  }

  /** Which views there are, and the types of their columns. */
  async #findViews() {
    const select =
      'SELECT TABLE_NAME AS name, COLUMN_NAME AS col, DATA_TYPE AS type FROM information_schema.COLUMNS';
    const columns = await this.#rows(select, [['TABLE_SCHEMA = DATABASE()'], ["TABLE_NAME LIKE 'listing%'"]]);
    const types = Object.fromEntries(columns.map(({ col, type }) => [col, type]));
    if (!types.organization) throw new Error('there is no view `listing` with a column `organization`');
    return { names: new Set(columns.map(({ name }) => name)), types };
  }

  async #rows(select, conditions, end = '') {
    const where = conditions.map(([condition]) => condition).join(' AND ');
    const values = conditions.flatMap(([, ...values]) => values);
    try {
      const [rows] = await this.#pool.query(`${select} WHERE ${where} ${end}`, values);
      return rows;
    } catch (error) {
      if (error.fatal) throw new StoreUnavailable(error.message);
      if (BUSY.has(error.errno)) throw new StoreBusy(error.message);
      throw error;
    }
  }
}

/** By the index, and then by bytes: for a number `7` is `07` and `7x`, and most collations have no case. */
const isEqual = (column, value) => [`${column} = ? AND CAST(${column} AS BINARY) = ?`, value, value];

/** Microseconds since 1970, as a text that compares with a DATETIME and a TIMESTAMP. */
function textOf(time, [first, last]) {
  const rest = ((time % 1_000n) + 1_000n) % 1_000n;
  const milliseconds = new Date(Number((time - rest) / 1_000n)).toISOString();
  const text = milliseconds.replace('Z', String(rest).padStart(3, '0'));
  return text < first ? first : text > last ? last : text;
}

function itemOf({ id, name, hint, creator, created_at, ...optional }) {
  const { status = 'active', workspace = null, creator_type = 'user' } = optional;
  return pageItem({
    ...{ id: String(id), type: 'api_key', name, partial_key_hint: hint, status },
    created_at: `${created_at.replace(' ', 'T')}Z`,
    created_by: { id: String(creator), type: creator_type },
    workspace_id: workspace === null ? null : String(workspace),
  });
}
