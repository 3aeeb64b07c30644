import type { PlanProblems } from '../../roster/page-shapes.ts';

/** A node of `EXPLAIN (FORMAT JSON)`. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

/** What a node is read for: the page, the cursor that the statement looks up by a subquery, or a subquery in a mapping. */
type Part = 'page' | 'cursor' | 'value';

/** What the plan has to be of. */
export interface PlannedPage {
  /** The ID of the cursor as the plan has it; `null` for a first page. */
  readonly cursor: string | null;
  /** The names of unique indexes. */
  readonly unique: ReadonlySet<string>;
}

/**
 * What is wrong with the plan of a page. Its cost doesn't grow with the depth while it reads one range of one index, which begins at
 * the cursor.
 */
export function planProblems(plan: PlanNode, planned: PlannedPage): PlanProblems {
  const found: Record<Part, string[]> = { page: [], cursor: [], value: [] };
  const visit = (node: PlanNode, outer: Part) => {
    const part = PARTS[node['Parent Relationship'] ?? ''] ?? outer;
    for (const child of node.Plans ?? []) visit(child, part);
    const problem = readsNothing(node) ? null : nodeProblem(node, part, planned);
    if (problem !== null) found[part].push(problem);
  };
  visit(plan, 'page');
  return { page: [...found.page, ...found.value], cursor: found.cursor };
}

/** Where no row can match, a sort of nothing may be left. */
function readsNothing({ 'Node Type': type, Plans: plans = [] }: PlanNode): boolean {
  const inputs = plans.filter(plan => plan['Parent Relationship'] !== 'InitPlan');
  return inputs.length > 0 ? inputs.every(readsNothing) : type === 'Result';
}

const PARTS: Readonly<Record<string, Part>> = { InitPlan: 'cursor', SubPlan: 'value' };

/** Nodes that only pass rows on. */
const PASSING = ['Limit', 'Result', 'Subquery Scan', 'Append', 'Merge Append', 'Gather', 'Gather Merge'];
const OF_INDEX = ['Index Scan', 'Index Only Scan'];

const COSTLY: Readonly<Record<string, string>> = {
  'Seq Scan': 'reads the whole table',
  Sort: 'sorts',
  'Incremental Sort': 'sorts',
  'Bitmap Heap Scan': 'collects all rows that match',
  'Bitmap Index Scan': 'collects all rows that match',
};

function nodeProblem(node: PlanNode, part: Part, planned: PlannedPage): string | null {
  const { 'Node Type': type, 'Index Name': name = '', 'Index Cond': range } = node;
  if (PASSING.includes(type)) return null;
  if (!OF_INDEX.includes(type)) return COSTLY[type] ?? `makes a ${type}`;
  if (range === undefined) return `reads a whole index (${name})`;
  const isNarrow = { page: isPage(range, planned), cursor: isKey(node, range, planned), value: true };
  return isNarrow[part] ? null : `reads more than it has to (${name})`;
}

/** The number of the filters and their values, and with a cursor the place after or before it. */
function isPage(range: string, { cursor }: PlannedPage): boolean {
  return range.includes('hashtextextended') && (cursor === null || range.includes('ROW('));
}

/** An index may also be read as a whole for a condition on its last column. Then the organization is compared afterwards. */
function isKey({ Filter, 'Index Name': name = '' }: PlanNode, range: string, planned: PlannedPage): boolean {
  return range.includes(String(planned.cursor)) && (Filter === undefined || planned.unique.has(name));
}
