import type { FilterName } from '../../roster/filters.ts';
import { parseId } from '../../roster/identifier.ts';
import type { PageShape } from '../../roster/page-shapes.ts';
import { isOfRow } from '../adoption/failure.ts';
import { literal } from '../adoption/mapping/table-name.ts';
import { filterColumns, type PageParameter, pageStatement } from '../page-sql.ts';
import type { PlanNode } from './plan-problems.ts';

export type Query = <Row extends unknown[]>(text: string) => Promise<Row[]>;

/** The plan of a page. */
export async function explainPage(
  query: Query,
  { filters, direction }: PageShape,
  values: Values,
): Promise<PlanNode> {
  const { name, text, parameters } = pageStatement(filters, direction);
  const literals = parameters.map(parameter => literal(values[parameter]));
  const [, [plan]] = await Promise.all([
    query(`PREPARE ${name} AS ${text}`),
    query<[string]>(`EXPLAIN (FORMAT JSON) EXECUTE ${name}(${literals})`),
    query(`DEALLOCATE ${name}`),
  ]);
  const [{ Plan: root }] = JSON.parse(plan?.[0] ?? '') as [{ Plan: PlanNode }];
  return root;
}

export type Values = Readonly<Record<PageParameter, string>>;

const MADE_UP: Values = {
  organization: 'org_example',
  status: 'active',
  workspaceId: 'wrkspc_example',
  creatorId: 'user_example',
  cursor: 'apikey_example',
  rows: '21',
};

/**
 * Of a key, of this organization if one is named. Custom plans depend on them. They are made up where there is no row, and where a
 * row has none that is valid.
 */
export async function valuesOfRow(
  query: Query,
  served: readonly FilterName[],
  organization: string | null,
): Promise<Values> {
  const names = ['organization', 'cursor', ...served] as const;
  const columns = ['organization_id', 'id', ...served.map(name => filterColumns[name])];
  const where = organization === null ? '' : `WHERE organization_id = ${literal(organization)}`;
  const rows = await query(`SELECT ${columns} FROM keyroster.api_keys ${where} LIMIT 1`).catch(error => {
    if (isOfRow(error.cause)) return []; // an expression of the view fails on a value
    throw error;
  });
  const valid = names.map((name, index) => [name, parseId(rows[0]?.[index])]).filter(([, value]) => value);
  const known = organization === null ? {} : { organization };
  return { ...MADE_UP, ...known, ...Object.fromEntries(valid) };
}
