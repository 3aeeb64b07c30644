import type { Client, QueryResultRow } from 'pg';

/** A file may have any number of lines to refuse, so they aren't fetched at once. */
const BATCH_ROWS = 1_000;

/** The rows of a query in a transaction, as they were when it began. */
export async function* batches<Row extends QueryResultRow>(
  client: Client,
  text: string,
  values: readonly unknown[] = [],
): AsyncGenerator<Row[]> {
  await client.query(`DECLARE refused NO SCROLL CURSOR FOR ${text}`, [...values]);
  for (;;) {
    const { rows } = await client.query<Row>(`FETCH ${BATCH_ROWS} FROM refused`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('CLOSE refused');
}
