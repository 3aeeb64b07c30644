import { FILTER_NAMES, type FilterName } from '../../roster/filters.ts';
import { type PageShape, type PlanProblems, pageShapes } from '../../roster/page-shapes.ts';
import { CURSOR_INDEX } from '../adoption/mapping/indexes.ts';
import { literal } from '../adoption/mapping/table-name.ts';
import type { PostgresUrl } from '../connecting/url.ts';
import { filterColumns, pageStatement } from '../page-sql.ts';
import { PipelinedConnection } from '../serving/pipelined-connection.ts';
import { explainPage, type Query, type Values, valuesOfRow } from './explain-page.ts';
import { planProblems } from './plan-problems.ts';
import { checkPlansOfShards, hasReaderSettings, isCitus } from './shard-plans.ts';

/**
 * Looks at the plan of every page that the service can be asked for, as its connection would make it: over one of its own, as this
 * changes settings. On Citus at the plans of the shards of some organizations, as each shard makes its own; `null` where the role
 * lacks the settings for them. Throws `StoreUnavailable`.
 */
export async function checkPlans(
  url: PostgresUrl,
  organizationsOnCitus: (query: Query) => Promise<readonly string[]>,
): Promise<(PageShape & PlanProblems)[] | null> {
  const connection = new PipelinedConnection(url);
  const query = <Row extends unknown[]>(text: string) => connection.rows<Row>({ name: '', text, values: [] });
  try {
    const served = await servedFilters(query);
    const shapes = pageShapes(served);
    const unique = await uniqueIndexes(query);
    if (await isCitus(query)) {
      if (!(await hasReaderSettings(query))) return null;
      const organizations = await organizationsOnCitus(query);
      return await checkPlansOfShards(query, shapes, { served, unique, organizations });
    }
    const values = await valuesOfRow(query, served, null);
    const small = await smallTables(query);
    const planning = { values, unique, small };
    const generic = await problemsOf(query, shapes, { ...planning, mode: 'force_generic_plan' });
    const custom = await problemsOf(query, shapes, { ...planning, mode: 'force_custom_plan' });
    return shapes.map((shape, index) => ({
      ...shape,
      page: either(generic[index]?.page, custom[index]?.page),
      cursor: either(generic[index]?.cursor, custom[index]?.cursor),
    }));
  } finally {
    await connection.close();
  }
}

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
async function smallTables(query: Query): Promise<Set<string>> {
  const names = await query<[string]>(`
    SELECT relname FROM (
      SELECT 'keyroster.api_keys'::regclass::oid UNION
      SELECT refobjid FROM pg_rewrite JOIN pg_depend ON pg_depend.objid = pg_rewrite.oid
      WHERE ev_class = 'keyroster.api_keys'::regclass AND refclassid = 'pg_class'::regclass) AS read (relation)
      JOIN pg_class ON oid = relation
    WHERE pg_relation_size(oid) < ${SMALL_BYTES}
      AND EXISTS (SELECT FROM pg_index JOIN pg_class AS index ON index.oid = indexrelid
        WHERE indrelid = relation AND indisvalid AND index.relname ~ '^(${CURSOR_INDEX}|api_keys_pkey)$')`);
  return new Set(names.flat());
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
  readonly small: ReadonlySet<string>;
  readonly mode: 'force_generic_plan' | 'force_custom_plan';
}

/** All statements are under way at once: the service does this before it is ready. */
async function problemsOf(
  query: Query,
  shapes: readonly PageShape[],
  { values, mode, ...planned }: Planning,
): Promise<PlanProblems[]> {
  await query(`SET plan_cache_mode = ${mode}`);
  return Promise.all(
    shapes.map(async ({ filters, direction }) => {
      const { parameters } = pageStatement(filters, direction);
      const root = await explainPage(query, { filters, direction }, values);
      const placeholder = `$${parameters.indexOf('cursor') + 1}`;
      const cursor = mode === 'force_generic_plan' ? placeholder : literal(values.cursor);
      return planProblems(root, { ...planned, cursor: direction === null ? null : cursor });
    }),
  );
}
