/**
 * A store over a vendor's own table in MySQL 8 or MariaDB (docs/mysql.md), by mysql2. It passes the checks of
 * keyroster/conformance.
 */
import { pageItem, StoreBusy, StoreUnavailable } from 'keyroster';
import { createPool } from 'mysql2/promise';

/** The column of each filter, in the order in which the names of the views have them. */
const COLUMNS = { status: 'status', workspaceId: 'project_id', creatorId: 'created_by' };

/** The time as text, as a `Date` has milliseconds only; by another name, or it would be what ORDER BY means. */
const FIELDS = `id, name, created_by, created_by_type, hint, status, project_id,
  DATE_FORMAT(created_at, '%Y-%m-%dT%T.%fZ') AS time`;

/** Too many connections, of all or of this user; a query that somebody ended, or that took too long (MariaDB, MySQL). */
const BUSY = new Set([1040, 1203, 1226, 1317, 1969, 3024]);

/** What a column of times can hold: to compare a TIMESTAMP with other times both servers would read all rows. */
const TIMES = {
  datetime: ['1000-01-01T00:00:00.000000', '9999-12-31T23:59:59.999999'],
  timestamp: ['1970-01-01T00:00:01.000000', '2038-01-19T03:14:07.999999'],
};

export class MySqlStore {
  #pool;
  #times;

  /** @param {'datetime' | 'timestamp'} type that of `created_at` */
  constructor(url, type = 'datetime') {
    this.#times = TIMES[type];
    this.#pool = createPool(url);
    // A TIMESTAMP is read in the zone of the session, a DATETIME as it is.
    this.#pool.on('connection', connection => connection.query("SET time_zone = '+00:00'"));
  }

  close() {
    return this.#pool.end();
  }

  /** @type {import('keyroster').RosterReader['listApiKeys']} */
  async listApiKeys(organizationId, { limit, cursor, filter, created = {}, scope = {} }) {
    const visible = [['account_id = ?', organizationId], ...equalTo(scope)];
    const wanted = [...visible, ...equalTo(filter)];
    if (created.from !== undefined) wanted.push(['created_at >= ?', textOf(created.from, this.#times)]);
    if (created.before !== undefined) wanted.push(['created_at < ?', textOf(created.before, this.#times)]);
    const [beyond, order] = cursor?.direction === 'before' ? ['>', 'ASC'] : ['<', 'DESC'];
    if (cursor) {
      const select = 'SELECT CAST(created_at AS CHAR) AS time FROM listed';
      const [key] = await this.#rows(select, [...visible, ['id = ?', cursor.id]]);
      if (!key) return null;
      // For `(created_at, id) < (?, ?)` they would read all rows before the cursor.
      const isNext = `(created_at ${beyond} ? OR (created_at = ? AND id ${beyond} ?))`;
      wanted.push([isNext, key.time, key.time, cursor.id]);
    }
    const filtered = Object.keys(COLUMNS).filter(name => name in filter || name in scope);
    const view = ['listing', ...filtered.map(name => COLUMNS[name])].join('_');
    const end = `ORDER BY created_at ${order}, id ${order} LIMIT ${limit + 1}`;
    const rows = await this.#rows(`SELECT ${FIELDS} FROM ${view}`, wanted, end);
    const items = rows.slice(0, limit).map(itemOf);
    return { items: order === 'ASC' ? items.reverse() : items, hasMore: rows.length > limit };
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

const equalTo = values => Object.entries(values).map(([name, value]) => [`${COLUMNS[name]} = ?`, value]);

/** Microseconds since 1970, as a text that compares with a DATETIME and a TIMESTAMP. */
function textOf(time, [first, last]) {
  const rest = ((time % 1_000n) + 1_000n) % 1_000n;
  const milliseconds = new Date(Number((time - rest) / 1_000n)).toISOString();
  const text = milliseconds.replace('Z', String(rest).padStart(3, '0'));
  return text < first ? first : text > last ? last : text;
}

function itemOf({ time, created_by, created_by_type, hint, project_id, ...fields }) {
  return pageItem({
    ...fields,
    type: 'api_key',
    created_at: time,
    created_by: { id: created_by, type: created_by_type },
    partial_key_hint: hint,
    workspace_id: project_id,
  });
}
