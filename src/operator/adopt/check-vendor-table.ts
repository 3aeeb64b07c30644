import type { Client } from 'pg';
import { isOfRow, reasonOf, UNDEFINED_TABLE } from '../../service/postgres/vendor-table/failure.ts';
import { differing, joinTriggers } from '../../service/postgres/vendor-table/join.ts';
import { joinsOf, type Mapping } from '../../service/postgres/vendor-table/mapping.ts';
import { tableSql } from '../../service/postgres/vendor-table/table-name.ts';
import { viewSql } from '../../service/postgres/vendor-table/view.ts';
import type { Finding, PartOfReport } from '../../service/roster/check.ts';
import { problemTexts, Refused } from '../../shared/record/faults.ts';
import { examineMapping } from './examine/examine.ts';
import { inTrial } from './rolled-back.ts';

const ADOPT_AGAIN = 'keyroster adopt --mapping FILE --apply';
const INSUFFICIENT_PRIVILEGE = '42501';

/** What a view doesn't show of the vendor's table behind it. Who may not read the table can't look at it. */
export async function checkVendorTable(client: Client, mapping: Mapping): Promise<PartOfReport> {
  try {
    await client.query(`TABLE ${tableSql(mapping.table)} LIMIT 0`);
    return { findings: await findingsOf(client, mapping), notLookedAt: [] };
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === UNDEFINED_TABLE)
      return { findings: [finding(reasonOf(error), CHANGE_AND_ADOPT)], notLookedAt: [] };
    if (!(error instanceof Refused || isOfRow(error) || code === INSUFFICIENT_PRIVILEGE)) throw error;
    return { findings: [], notLookedAt: [`columns that have keys: ${reasonOf(error)}`] };
  }
}

const CHANGE_AND_ADOPT = `change the mapping, then run "${ADOPT_AGAIN}"`;
const finding = (problem: string, fix: string): Finding => ({ about: 'columns', problem, fix });

async function findingsOf(client: Client, mapping: Mapping): Promise<Finding[]> {
  const faults = (await examineMapping(client, mapping)).filter(({ kind }) => kind === 'fault');
  if (faults.length > 0) return problemTexts(faults).map(problem => finding(problem, CHANGE_AND_ADOPT));
  const problems = [...(await viewProblems(client, mapping)), ...(await joinProblems(client, mapping))];
  return problems.map(problem => finding(problem, ADOPT_AGAIN));
}

/** A view stays over the table and the columns that it was made of, whatever they are called later. */
async function viewProblems(client: Client, mapping: Mapping): Promise<string[]> {
  const definitionOf = async (view: string): Promise<string> =>
    (await client.query('SELECT pg_get_viewdef($1::text::regclass) AS sql', [view])).rows[0]?.sql;
  /** As it is after a restore: PostgreSQL writes some casts otherwise then. */
  const restored = async (view: string, name: string): Promise<string> => {
    await client.query(`CREATE VIEW pg_temp.${name} AS ${await definitionOf(view)}`);
    return definitionOf(`pg_temp.${name}`);
  };
  return inTrial(client, 'READ WRITE', async () => {
    await client.query(viewSql(mapping, 'pg_temp.keyroster_trial'));
    const made = await restored('pg_temp.keyroster_trial', 'keyroster_made');
    const isSame = made === (await restored('keyroster.api_keys', 'keyroster_served'));
    return isSame ? [] : ['the view is not what its mapping makes: the table or a column was renamed'];
  });
}

/** Whether the triggers of joins are there and fire for replicated rows too, and whether any row differs: one look into an index each. */
async function joinProblems(client: Client, mapping: Mapping): Promise<string[]> {
  const [keys, joins] = [tableSql(mapping.table), joinsOf(mapping)];
  if (joins.length === 0) return [];
  const { rows } = await client.query(
    `SELECT (SELECT string_agg(name || ' of ' || "table", ', ' ORDER BY "table", name) FROM json_to_recordset($1::json) AS wanted(name text, "table" text) WHERE NOT EXISTS
      (SELECT FROM pg_trigger WHERE tgname = name AND tgrelid = to_regclass("table") AND tgenabled = 'A')) AS missing,
      (SELECT count(*)::text FROM ${keys} WHERE ${differing(keys, joins)}) AS count`,
    [JSON.stringify(joinTriggers(keys, joins))],
  );
  const [{ missing, count }] = rows;
  return [
    ...(missing ? [`triggers are gone, or not enabled always: ${missing}`] : []),
    ...(count === '0' ? [] : [`organization_id: ${count} rows differ from what the joins find`]),
  ];
}
