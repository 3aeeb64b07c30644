import type { Client } from 'pg';
import { type CheckOptions, type Finding, RowCheck } from '../../roster/check.ts';
import { isDataException } from '../errors.ts';

/** Rows in memory at once. */
const ROWS_AT_ONCE = 2000;

const ROWS = `
  SELECT organization_id, id, record, CASE
    WHEN created_at IS NULL THEN 'is NULL'
    WHEN NOT isfinite(created_at) THEN 'is infinite'
    WHEN created_at < '0001-01-01 00:00:00+00 BC' OR created_at >= '10000-01-01 00:00:00+00'
      THEN 'is outside the years 0 to 9999'
  END FROM keyroster.api_keys`;

/** The order of a hash has keys of all organizations and times at its beginning. */
const spread = (sample: number) => `ORDER BY hashtextextended(coalesce(id, ''), 0) LIMIT ${sample}`;

/** Reads the rows as they are listed, in a transaction that only reads. Its memory doesn't grow with their number. */
export async function checkRows(
  client: Client,
  { sample, onProgress }: CheckOptions,
  fix: string,
): Promise<{ findings: Finding[]; keys: number }> {
  const check = new RowCheck();
  const failures: Finding[] = [];
  await client.query(
    `BEGIN READ ONLY; DECLARE listed NO SCROLL CURSOR FOR ${ROWS} ${sample === undefined ? '' : spread(sample)}`,
  );
  try {
    for (let isRead = false; !isRead; ) {
      const { rows } = await client.query<(string | null)[]>({
        text: `FETCH ${ROWS_AT_ONCE} FROM listed`,
        rowMode: 'array',
      });
      for (const [organizationId = null, id = null, record = null, timeProblem = null] of rows)
        check.add({ organizationId, id, record, timeProblem });
      isRead = rows.length < ROWS_AT_ONCE;
      onProgress?.(check.keys);
    }
  } catch (error) {
    if (!isDataException(error)) throw error;
    failures.push(failedExpression(error));
  } finally {
    await client.query('ROLLBACK').catch(() => {}); // fails where the connection broke
  }
  return { findings: [...failures, ...check.findings(fix)], keys: check.keys };
}

function failedExpression(error: unknown): Finding {
  const { code } = error as { code: string };
  return {
    about: 'rows',
    problem: `an expression of the mapping fails on a row (${code}), and the rows after it were not looked at`,
    fix: 'make the expression one that no value fails',
  };
}
