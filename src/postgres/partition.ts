/**
 * API keys in several tables, by hash of their organization, for rosters so large that one table takes hours to be vacuumed or
 * indexed anew. All that names `keyroster.api_keys` stays as it is, and nothing but the table's owner has rights on a partition.
 */
import type { Client } from 'pg';
import { Refused } from '../roster/errors.ts';
import { isAdopted } from './adoption/own-table.ts';
import { hasCitus } from './has-citus.ts';
import { inRetriedTransaction, type Waiting } from './retried-transaction.ts';
import type { Statements } from './statements.ts';

/** The names of its partitions, without the schema; none where the table isn't partitioned. */
export async function partitionsOfApiKeys(client: Statements): Promise<string[]> {
  const { rows } =
    await client.query(`SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent = to_regclass('keyroster.api_keys') ORDER BY length(relname), relname`);
  return rows.map(({ name }) => name);
}

/** What `partition` is going to do; `null`: nothing. Only reads. Throws `Refused` where it can't be done. */
export async function planPartitions(client: Statements, partitions: number): Promise<string | null> {
  if (await hasCitus(client))
    throw new Refused('--partitions: not with Citus, which distributes API keys itself');
  if (await isAdopted(client))
    throw new Refused(
      "--partitions: the API keys are in the vendor's own table, which isn't Keyroster's to partition",
    );
  const present = (await partitionsOfApiKeys(client)).length;
  if (present === partitions) return null;
  if (present > 0)
    throw new Refused(`--partitions: there are ${present} already, and their number can't change: ${MOVE}`);
  await refuseKeys(client);
  await refuseTooFewLocks(client, partitions);
  return `partition api_keys by hash of organization_id, ${partitions} partitions`;
}

const MOVE = 'move to another database (docs/operations.md, "Moving")';

/** To a table that has no API keys yet, as the schema's current version. */
export async function partition(client: Client, waiting: Waiting, partitions: number): Promise<void> {
  await inRetriedTransaction(client, waiting, async () => {
    await client.query('LOCK TABLE keyroster.api_keys IN ACCESS EXCLUSIVE MODE');
    await refuseKeys(client);
    const [table] = (await client.query<PlainTable>(PLAIN_TABLE)).rows;
    if (!table) return;
    if (table.lost !== null)
      throw new Refused(`--partitions: api_keys has ${table.lost}, which would be lost: remove it first`);
    const statements = [
      `SET LOCAL ROLE ${table.owner}`,
      'ALTER TABLE keyroster.api_keys RENAME TO plain_api_keys',
      `CREATE TABLE keyroster.api_keys (LIKE keyroster.plain_api_keys INCLUDING ALL EXCLUDING INDEXES)
        PARTITION BY HASH (organization_id)`,
      'DROP TABLE keyroster.plain_api_keys',
      ...Array.from({ length: partitions }, (_, number) => partitionSql(number, partitions)),
      ...(JSON.parse(table.parts) as string[]),
    ];
    for (const statement of statements) await client.query(statement);
  });
}

/** PostgreSQL gives partitions the triggers for rows, and not that for `TRUNCATE`. */
function partitionSql(number: number, partitions: number): string {
  const name = `keyroster.api_keys_p${number}`;
  return `CREATE TABLE ${name} PARTITION OF keyroster.api_keys FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${number});
    CREATE TRIGGER guard_table BEFORE TRUNCATE ON ${name} FOR EACH STATEMENT EXECUTE FUNCTION keyroster.guard_api_keys()`;
}

interface PlainTable {
  readonly owner: string;
  /** Statements that make what `LIKE` doesn't: keys, indexes, triggers and rights; as JSON. */
  readonly parts: string;
  /** What none of them makes. */
  readonly lost: string | null;
}

const PLAIN_TABLE = `
  SELECT relowner::regrole::text AS owner,
    CASE WHEN relrowsecurity THEN 'row-level security'
      WHEN EXISTS (SELECT FROM pg_publication_rel WHERE prrelid = pg_class.oid) THEN 'a publication' END AS lost,
    to_json(ARRAY(SELECT format('ALTER TABLE keyroster.api_keys ADD CONSTRAINT %I %s', conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE conrelid = pg_class.oid AND contype IN ('p', 'f') ORDER BY contype DESC)
    || ARRAY(SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = pg_class.oid AND NOT indisprimary)
    || ARRAY(SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = pg_class.oid AND NOT tgisinternal)
    || ARRAY(SELECT format('GRANT %s ON keyroster.api_keys TO %s%s', what, who, granting) FROM (
        SELECT privilege_type, grantee, is_grantable FROM aclexplode(relacl)
        UNION ALL SELECT format('%s (%I)', privilege_type, attname), grantee, is_grantable
        FROM pg_attribute, aclexplode(attacl) WHERE attrelid = pg_class.oid) AS granted (what, grantee, may_grant),
        LATERAL (SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END,
          CASE WHEN may_grant THEN ' WITH GRANT OPTION' END) AS named (who, granting)
      WHERE grantee <> relowner))::text AS parts
  FROM pg_class WHERE oid = 'keyroster.api_keys'::regclass AND relkind = 'r'`;

async function refuseKeys(client: Statements): Promise<void> {
  const there = await client.query("SELECT to_regclass('keyroster.api_keys')::text AS name");
  if (there.rows[0]?.name === null) return; // the migrations make it
  const { rows } = await client.query('SELECT FROM keyroster.api_keys LIMIT 1');
  if (rows.length > 0) throw new Refused(`--partitions: this database has API keys: ${MOVE}`);
}

/** Of a partition: itself, its nine indexes, its TOAST table and the index of that. */
const LOCKS = 12;
/** That plan pages at once: those of a service that starts, and commands. */
const CONNECTIONS = 8;

/** Whoever plans a page locks all partitions and their indexes. Without room for that, statements of anybody fail. */
async function refuseTooFewLocks(client: Statements, partitions: number): Promise<void> {
  const { rows } = await client.query(`SELECT current_setting('max_locks_per_transaction') AS locks,
    current_setting('max_connections')::integer + current_setting('max_prepared_transactions')::integer AS transactions`);
  const needed = Math.ceil((partitions * LOCKS * CONNECTIONS) / Number(rows[0]?.transactions));
  if (Number(rows[0]?.locks) < needed)
    throw new Refused(
      `--partitions: that many need max_locks_per_transaction = ${needed}: set it and restart PostgreSQL, or take fewer`,
    );
}
