import { FILTER_NAMES, type FilterName } from '../../roster/filters.ts';
import { parseId } from '../../roster/identifier.ts';
import { type PageShape, type PlanProblems, pageShapes } from '../../roster/page-shapes.ts';
import { isOfRow } from '../adoption/failure.ts';
import { CURSOR_INDEX } from '../adoption/mapping/indexes.ts';
import { literal } from '../adoption/mapping/table-name.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { filterColumns, type PageParameter, pageStatement } from '../page-sql.ts';
import { PipelinedConnection } from '../serving/pipelined-connection.ts';
import { type PlanNode, planProblems } from './plan-problems.ts';

/**
 * Looks at the plan of every page that the service can be asked for, as its connection would make it: over one of its own, as this
 * changes settings. `null` on Citus, where each shard makes a plan. Throws `StoreUnavailable`.
 */
export async function checkPlans(url: PostgresUrl): Promise<(PageShape & PlanProblems)[] | null> {
  const connection = new PipelinedConnection(url);
  const query = <Row extends unknown[]>(text: string) => connection.rows<Row>({ name: '', text, values: [] });
  try {
    const citus = await query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
    if (citus.length > 0) return null;
    const served = await servedFilters(query);
    const values = await valuesOfRow(query, served);
    const shapes = pageShapes(served);
    const unique = await uniqueIndexes(query);
    const generic = await problemsOf(query, shapes, { values, unique, mode: 'force_generic_plan' });
    const isSmall = await isSmallWithCursorIndex(query);
    const custom = await problemsOf(query, shapes, { values, unique, mode: 'force_custom_plan' });
    return shapes.map((shape, index) => ({
      ...shape,
      page: either(generic[index]?.page, custom[index]?.page),
      cursor: isSmall ? [] : either(generic[index]?.cursor, custom[index]?.cursor),
    }));
  } finally {
    await connection.close();
  }
}

type Query = <Row extends unknown[]>(text: string) => Promise<Row[]>;

/** The service uses generic plans, so custom ones are only told of where they alone are wrong. */
function either(generic: readonly string[] = [], custom: readonly string[] = []): readonly string[] {
  return generic.length > 0 ? generic : custom.map(problem => `${problem} (with custom plans)`);
}

/** Our own table has a column for each filter. A view over a vendor's has one for each that is served. */
async function servedFilters(query: Query): Promise<FilterName[]> {
  const columns = await query<[string]>(
    `SELECT attname FROM pg_attribute WHERE attrelid = 'keyroster.api_keys'::regclass AND attnum > 0`,
  );
  return FILTER_NAMES.filter(name => columns.some(([column]) => column === filterColumns[name]));
}

/** In a table that is smaller any index finds the cursor as fast, and PostgreSQL may choose any. */
const SMALL_BYTES = 256 * 1024;

/** By its size now: statistics may be older. Of a view it is the size of the table behind it. The index must be there for later. */
async function isSmallWithCursorIndex(query: Query): Promise<boolean> {
  const [row] = await query<[string]>(`
    SELECT max(pg_relation_size(relation)) FROM (
      SELECT 'keyroster.api_keys'::regclass::oid UNION
      SELECT refobjid FROM pg_rewrite JOIN pg_depend ON pg_depend.objid = pg_rewrite.oid
      WHERE ev_class = 'keyroster.api_keys'::regclass AND refclassid = 'pg_class'::regclass) AS read (relation)
    WHERE EXISTS (SELECT FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indrelid = relation AND indisvalid AND relname ~ '^(${CURSOR_INDEX}|api_keys_pkey)$')`);
  return typeof row?.[0] === 'string' && Number(row[0]) < SMALL_BYTES;
}

type Values = Readonly<Record<PageParameter, string>>;

const MADE_UP: Values = {
  organization: 'org_example',
  status: 'active',
  workspaceId: 'wrkspc_example',
  creatorId: 'user_example',
  cursor: 'apikey_example',
  rows: '21',
};

/** Custom plans depend on them. They are made up where there is no row, and where a row has none that is valid. */
async function valuesOfRow(query: Query, served: readonly FilterName[]): Promise<Values> {
  const names = ['organization', 'cursor', ...served] as const;
  const columns = ['organization_id', 'id', ...served.map(name => filterColumns[name])];
  const rows = await query(`SELECT ${columns} FROM keyroster.api_keys LIMIT 1`).catch(error => {
    if (isOfRow(error.cause)) return []; // an expression of the view fails on a value
    throw error;
  });
  const valid = names.map((name, index) => [name, parseId(rows[0]?.[index])]).filter(([, value]) => value);
  return { ...MADE_UP, ...Object.fromEntries(valid) };
}

async function uniqueIndexes(query: Query): Promise<Set<string>> {
  const names = await query<[string]>(
    'SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indisunique',
  );
  return new Set(names.flat());
}

interface Planning {
  readonly values: Values;
  readonly unique: ReadonlySet<string>;
  readonly mode: 'force_generic_plan' | 'force_custom_plan';
}

/** All statements are under way at once: the service does this before it is ready. */
async function problemsOf(
  query: Query,
  shapes: readonly PageShape[],
  { values, unique, mode }: Planning,
): Promise<PlanProblems[]> {
  await query(`SET plan_cache_mode = ${mode}`);
  return Promise.all(
    shapes.map(async ({ filters, direction }) => {
      const { name, text, parameters } = pageStatement(filters, direction);
      const literals = parameters.map(parameter => literal(values[parameter]));
      const [, [plan]] = await Promise.all([
        query(`PREPARE ${name} AS ${text}`),
        query<[string]>(`EXPLAIN (FORMAT JSON) EXECUTE ${name}(${literals})`),
        query(`DEALLOCATE ${name}`),
      ]);
      const [{ Plan: root }] = JSON.parse(plan?.[0] ?? '') as [{ Plan: PlanNode }];
      const placeholder = `$${parameters.indexOf('cursor') + 1}`;
      const cursor = mode === 'force_generic_plan' ? placeholder : literal(values.cursor);
      return planProblems(root, { cursor: direction === null ? null : cursor, unique });
    }),
  );
}
