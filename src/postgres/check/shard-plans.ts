import type { FilterName } from '../../roster/filters.ts';
import type { PageShape, PlanProblems } from '../../roster/page-shapes.ts';
import { literal } from '../adoption/mapping/table-name.ts';
import { READER_ROLE_SETTINGS } from '../serving/reader-settings.ts';
import { explainPage, type Query, valuesOfRow } from './explain-page.ts';
import { type PlanNode, planProblems } from './plan-problems.ts';

export async function isCitus(query: Query): Promise<boolean> {
  return (await query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`)).length > 0;
}

/** Whether the role has the settings of a reader by itself: those that a connection sets reach no worker. */
export async function hasReaderSettings(query: Query): Promise<boolean> {
  const rows = await query<[string]>(`SELECT unnest(setconfig) FROM pg_db_role_setting
    WHERE setrole = (SELECT oid FROM pg_roles WHERE rolname = session_user)
      AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))`);
  const settings = new Set(rows.flat());
  return Object.entries(READER_ROLE_SETTINGS).every(([name, value]) => settings.has(`${name}=${value}`));
}

/** Where it has not. */
export const MISSING_SETTINGS = {
  problem:
    'the role lacks settings that reach the workers of Citus, so that they may sort and scan for each page',
  fix: 'serve as keyroster_reader: deploy/postgres-roles.sql makes it and gives it the settings',
} as const;

interface OfShards {
  readonly served: readonly FilterName[];
  readonly unique: ReadonlySet<string>;
  /** One of each shard that is looked at. */
  readonly organizations: readonly string[];
}

/**
 * Every page of these organizations, as the worker plans it: Citus passes it the values. Cursors are found by the primary key, which a
 * distributed table has on each shard.
 */
export async function checkPlansOfShards(
  query: Query,
  shapes: readonly PageShape[],
  { served, unique, organizations }: OfShards,
): Promise<(PageShape & PlanProblems)[]> {
  const found = shapes.map(shape => ({ ...shape, page: new Set<string>() }));
  for (const organization of organizations) {
    const values = await valuesOfRow(query, served, organization);
    const cursor = literal(values.cursor);
    for (const shape of found) {
      const plan = planOfWorker(await explainPage(query, shape, values));
      const problems = planProblems(plan, {
        cursor: shape.direction === null ? null : cursor,
        unique,
        small: new Set(),
      });
      for (const problem of problems.page) shape.page.add(problem);
    }
  }
  return found.map(shape => ({ ...shape, page: [...shape.page], cursor: [] }));
}

/**
 * One of each shard, for this many shards. Admin keys are on the coordinator, so that no worker has to answer. Without one any name is
 * routed to a shard.
 */
export async function organizationsOfShards(query: Query, shards: number): Promise<string[]> {
  const rows = await query<[string]>(`
    SELECT min(organization_id) FROM (SELECT organization_id FROM keyroster.admin_keys LIMIT 10000) AS keys
    GROUP BY get_shard_id_for_distribution_column('keyroster.api_keys', organization_id) LIMIT ${shards}`);
  return rows.length === 0 ? ['org_example'] : rows.flat();
}

interface Distributed {
  readonly 'Distributed Query'?: {
    readonly Job: {
      readonly Tasks: readonly { readonly 'Remote Plan': readonly [readonly [{ Plan: PlanNode }]] }[];
    };
  };
}

/** A shard's index has the shard's number at the end of its name. */
function planOfWorker(root: PlanNode & Distributed): PlanNode {
  const plan = root['Distributed Query']?.Job.Tasks[0]?.['Remote Plan'][0][0].Plan;
  if (!plan) throw new Error('Citus tells no plan of the worker');
  return JSON.parse(JSON.stringify(plan), (name, value) =>
    name === 'Index Name' ? String(value).replace(/_\d+$/, '') : value,
  );
}
