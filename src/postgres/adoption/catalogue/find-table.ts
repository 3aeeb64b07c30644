import { namesMeant } from '../../../nearest-name.ts';
import { Refused } from '../../../roster/errors.ts';
import type { Statements } from '../../statements.ts';
import { readableTable, type TableName } from '../mapping/table-name.ts';

/** An ordinary table of the database. */
export interface FoundTable extends TableName {
  readonly oid: string;
}

interface Relation extends FoundTable {
  readonly kind: string;
  readonly isPartition: boolean;
  /** Whether other tables inherit from it. */
  readonly hasChildren: boolean;
  /** Whether it is found without its schema. */
  readonly isVisible: boolean;
}

/**
 * The table that a person names, with its schema or without: `apikey`, `auth.ApiKey`, `auth."ApiKey"`. Unlike in SQL, a name
 * without quotes is first looked for as it is typed. Throws `Refused`.
 */
export async function findTable(client: Statements, given: string): Promise<FoundTable> {
  const [schema, table, ...more] = parts(given);
  if (schema === undefined || more.length > 0)
    throw new Refused('table: must be a table, or schema.table, each quoted with " where SQL needs it');
  const [inSchema, named] = table === undefined ? [null, schema] : [schema, table];
  const relations = await readRelations(client);
  const candidates = relations.filter(relation =>
    inSchema ? fits(inSchema, relation.schema) : relation.isVisible,
  );
  const exact = candidates.filter(
    relation => relation.table === named.name && (!inSchema || relation.schema === inSchema.name),
  );
  const found = exact.length > 0 ? exact : candidates.filter(relation => fits(named, relation.table));
  const [only] = found;
  if (only && found.length === 1) return requireOrdinary(only);
  if (only) throw new Refused(`table: several have this name: ${listed(found)}: quote it with "`);
  const nearest = nearestNames(named.name, relations);
  throw new Refused(
    `table: there is no such table${nearest.length > 0 ? `, did you mean ${listed(nearest)}?` : ''}`,
  );
}

interface GivenName {
  readonly name: string;
  readonly isQuoted: boolean;
}

const PART = /"((?:[^"]|"")+)"|([^".]+)/y;

/** The parts between the dots; none when the text is malformed. */
function parts(given: string): GivenName[] {
  const found: GivenName[] = [];
  for (PART.lastIndex = 0; ; PART.lastIndex += 1) {
    const [all, quoted, plain] = PART.exec(given) ?? [];
    if (all === undefined) return [];
    found.push({ name: quoted?.replaceAll('""', '"') ?? plain ?? '', isQuoted: quoted !== undefined });
    if (PART.lastIndex === given.length) return found;
    if (given[PART.lastIndex] !== '.') return [];
  }
}

function fits({ name, isQuoted }: GivenName, existing: string): boolean {
  return existing === name || (!isQuoted && existing.toLowerCase() === name.toLowerCase());
}

async function readRelations(client: Statements): Promise<Relation[]> {
  const { rows } = await client.query(`
    SELECT c.oid::text AS oid, nspname::text AS schema, relname::text AS name, relkind::text AS kind,
      relispartition::text AS partition,
      EXISTS (SELECT FROM pg_inherits WHERE inhparent = c.oid)::text AS children, pg_table_is_visible(c.oid)::text AS visible
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname <> 'information_schema' AND nspname !~ '^pg_'
    ORDER BY nspname, relname`);
  return rows.map(row => ({
    oid: row.oid,
    schema: row.schema,
    table: row.name,
    kind: row.kind,
    isPartition: row.partition === 'true',
    hasChildren: row.children === 'true',
    isVisible: row.visible === 'true',
  }));
}

/** What an index can't be added to, or can't be made for without a lock. */
const OTHER_KINDS: Readonly<Record<string, string>> = {
  p: 'is a partitioned table, to which no index can be added while it is in use',
  v: 'is a view: name the table behind it',
  m: 'is a materialized view: name the table behind it',
  f: 'is a foreign table: run this in the database that has it',
};

function requireOrdinary(relation: Relation): FoundTable {
  const named = readableTable(relation);
  if (relation.schema === 'keyroster') throw new Refused(`table: ${named} is Keyroster's own`);
  const problem = OTHER_KINDS[relation.kind];
  if (problem) throw new Refused(`table: ${named} ${problem}`);
  if (relation.isPartition)
    throw new Refused(`table: ${named} is a partition, which has a part of the keys only`);
  if (relation.hasChildren)
    throw new Refused(`table: ${named} has tables that inherit from it, whose rows none of its indexes has`);
  return relation;
}

const MAX_NAMED = 3;

/** The most similar names of tables, the best first; those that are too different aren't named. */
function nearestNames(given: string, relations: readonly Relation[]): Relation[] {
  const tables = relations.filter(({ kind, schema }) => kind === 'r' && schema !== 'keyroster');
  return namesMeant(given, tables, ({ table }) => table, 0.5).slice(0, MAX_NAMED);
}

function listed(tables: readonly TableName[]): string {
  return tables.map(readableTable).join(', ');
}
