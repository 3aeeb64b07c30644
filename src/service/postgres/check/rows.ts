import type { Client } from 'pg';
import { type CheckOptions, type Finding, MAX_EXAMPLES, printableId, RowCheck } from '../../roster/check.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { columnAsText, recordWith } from '../declared-fields.ts';
import { isOfRow } from '../vendor-table/failure.ts';
import { hasUnlistedRows, type Mapping } from '../vendor-table/mapping.ts';
import { type ListedRelation, listFields } from '../vendor-table/own-table.ts';

/** Rows in memory at once. */
const ROWS_AT_ONCE = 2000;

/** A sample is by the order of a hash, which has keys of all organizations and times at its beginning. */
function rowsSql(
  mapping: Mapping | null,
  sample: number | undefined,
  fields: readonly DeclaredField[],
): string {
  const columns = [
    'organization_id',
    'id',
    'record',
    ...fields.map(field => columnAsText(field, 'api_keys')),
  ];
  const listed = mapping && hasUnlistedRows(mapping) ? 'WHERE organization_id IS NOT NULL' : '';
  const some = sample === undefined ? '' : `ORDER BY hashtextextended(coalesce(id, ''), 0) LIMIT ${sample}`;
  return `SELECT ${columns.join(', ')} FROM keyroster.api_keys ${listed} ${some}`;
}

const DUPLICATES = `
  SELECT id, min(record), count(*) OVER ()::text FROM keyroster.api_keys WHERE organization_id IS NOT NULL AND id IS NOT NULL
  GROUP BY organization_id, id HAVING count(*) > 1 LIMIT ${MAX_EXAMPLES}`;

/**
 * Reads the rows as they are listed, in a transaction that only reads. Its memory doesn't grow with their number.
 * Over a view no constraint of ours keeps wrong rows out.
 */
export async function checkRows(
  client: Client,
  { sample, onProgress }: CheckOptions,
  { isView, mapping }: ListedRelation,
): Promise<{ findings: Finding[]; keys: number }> {
  const fields = await listFields(client);
  const check = new RowCheck(fields);
  const others: Finding[] = [];
  await client.query('BEGIN READ ONLY');
  for (const setting of FOR_ALL_ROWS) await client.query(`SET LOCAL ${setting}`);
  await client.query(`DECLARE listed NO SCROLL CURSOR FOR ${rowsSql(mapping, sample, fields)}`);
  try {
    for (let isRead = false; !isRead; ) {
      const rows = await arraysOf(client, `FETCH ${ROWS_AT_ONCE} FROM listed`);
      for (const [organizationId = null, id = null, own = null, ...more] of rows) {
        const record = own === null ? null : recordWith(own, fields, more);
        check.add({ organizationId, id, record });
      }
      isRead = rows.length < ROWS_AT_ONCE;
      onProgress?.(check.keys);
    }
    if (isView) others.push(...duplicatesIn(await arraysOf(client, DUPLICATES)));
  } catch (error) {
    if (!isView || !isOfRow(error)) throw error;
    others.push(failedExpression(error));
  } finally {
    await client.query('ROLLBACK').catch(() => {}); // fails where the connection broke
  }
  return { findings: [...others, ...check.findings(isView ? VENDOR_FIX : OWN_FIX)], keys: check.keys };
}

/** The service's role has others, for pages. On Citus the workers need them too. */
const FOR_ALL_ROWS = [
  "citus.propagate_set_commands = 'local'",
  'statement_timeout = 0',
  'enable_seqscan = on',
  'enable_sort = on',
];

const OWN_FIX = 'correct the rows with SQL';
const VENDOR_FIX =
  'correct the rows, or the mapping: a value for each status, an expression for what may be NULL';

async function arraysOf(client: Client, text: string): Promise<(string | null)[][]> {
  return (await client.query<(string | null)[]>({ text, rowMode: 'array' })).rows;
}

function duplicatesIn(rows: readonly (readonly (string | null)[])[]): Finding[] {
  const [first] = rows;
  if (!first) return [];
  return [
    {
      about: 'rows',
      problem: 'id: is that of several API keys of an organization',
      count: Number(first[2]),
      examples: rows.flatMap(([id = null, record = null]) => printableId({ id, record }) ?? []),
      fix: 'map a column that is unique',
    },
  ];
}

function failedExpression(error: unknown): Finding {
  const { code } = error as { code: string };
  return {
    about: 'rows',
    problem: `an expression of the mapping fails on a row (${code}), and the rows after it were not looked at`,
    fix: 'make the expression one that no value fails',
  };
}
