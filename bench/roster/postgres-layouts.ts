/** Ways to keep API keys in PostgreSQL, for `bench/postgres-layouts.ts`: what each changes in our schema, and its pages. */
import { pageStatement } from '../../src/postgres/page-sql.ts';
import type { FilterName } from '../../src/roster/filters.ts';
import type { Direction } from '../../src/roster/list-query.ts';

export interface Layout {
  readonly name: string;
  readonly change: string;
  readonly partitions?: number;
  /** Run once the keys are there. */
  readonly afterwards?: string;
  readonly page: typeof pageStatement;
}

const drop = (...indexes: readonly string[]) =>
  indexes.map(name => `DROP INDEX keyroster.api_keys_listing${name};`).join('');
const WITHOUT_STATUS = drop('_workspace_id', '_created_by_id', '_workspace_id_created_by_id');
const NOT_STORED = 'ALTER TABLE keyroster.api_keys DROP COLUMN record;';
const fill = (percent: number) => `ALTER TABLE keyroster.api_keys SET (fillfactor = ${percent})`;
/** Of the pages with a filter, or of all. */
const byFilter = (filters: readonly FilterName[]) => filters.length > 0;
const always = () => true;

export const layouts: readonly Layout[] = [
  { name: 'as it is: 8 listing indexes, the record stored', change: '', page: pageStatement },
  {
    name: 'the same, its indexes made anew by `REINDEX` afterwards',
    change: '',
    afterwards: 'REINDEX TABLE keyroster.api_keys',
    page: pageStatement,
  },
  { name: '5 indexes, statuses merged', change: WITHOUT_STATUS, page: merging(byFilter) },
  { name: '4 indexes, statuses merged', change: WITHOUT_STATUS + drop(''), page: merging(always) },
  { name: '8 indexes, the record rendered at reading', change: NOT_STORED, page: rendering(pageStatement) },
  {
    name: '5 indexes, the record rendered at reading',
    change: NOT_STORED + WITHOUT_STATUS,
    page: rendering(merging(byFilter)),
  },
  { name: '8 indexes, fillfactor 90', change: fill(90), page: pageStatement },
  { name: '8 indexes, fillfactor 80', change: fill(80), page: pageStatement },
  { name: '8 indexes, 32 partitions', change: '', partitions: 32, page: pageStatement },
];

/** Pages without a status merge a range of each. The cursor is looked up once. */
function merging(merges: (filters: readonly FilterName[]) => boolean): typeof pageStatement {
  return (filters, direction) => {
    if (filters.includes('status') || !merges(filters)) return pageStatement(filters, direction);
    const { name, text, parameters, fields } = pageStatement(['status', ...filters], direction);
    const place = `$${parameters.indexOf('status') + 1}`;
    const range = text.replace('SELECT id, record', 'SELECT *');
    const cursor = /\(SELECT created_at FROM[^)]*\)/.exec(text)?.[0];
    const ranges = ['active', 'inactive', 'archived'].map(
      status => `(${renumbered(range.replaceAll(place, `'${status}'`), place)})`,
    );
    let merged = ranges.join(' UNION ALL ');
    const found = cursor && renumbered(cursor, place);
    if (found) merged = merged.replaceAll(found, '(SELECT created_at FROM found)');
    const order = orderOf(direction);
    return {
      name: `${name}_merged`,
      text: `${found ? `WITH found AS MATERIALIZED ${found} ` : ''}SELECT id, record FROM (${merged}) AS page ${order} LIMIT $2`,
      parameters: parameters.filter(parameter => parameter !== 'status'),
      fields,
    };
  };
}

/** The parameters after the one that is left out move up. */
function renumbered(text: string, left: string): string {
  const number = Number(left.slice(1));
  return text.replace(/\$(\d+)/g, (same, each) => (Number(each) > number ? `$${Number(each) - 1}` : same));
}

const orderOf = (direction: Direction | null) =>
  direction === 'before' ? 'ORDER BY created_at, id' : 'ORDER BY created_at DESC, id DESC';

const RECORD = `concat('{"id":"', id, '","type":"api_key","name":', to_json(name), ',"created_at":"',
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
  '","created_by":{"id":"', created_by_id, '","type":"', created_by_type, '"},"partial_key_hint":"', partial_key_hint,
  '","status":"', status, '","workspace_id":', CASE WHEN workspace_id IS NULL THEN 'null' ELSE '"' END, workspace_id,
  CASE WHEN workspace_id IS NOT NULL THEN '"' END, '}') AS record`;

function rendering(page: typeof pageStatement): typeof pageStatement {
  return (filters, direction) => {
    const statement = page(filters, direction);
    return { ...statement, text: statement.text.replace('SELECT id, record', `SELECT id, ${RECORD}`) };
  };
}
