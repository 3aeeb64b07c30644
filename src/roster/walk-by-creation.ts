import { EARLIEST, type Timestamp } from './timestamp.ts';

/** Where a list goes on that is ordered by creation time, then by ID as bytes, both ascending: behind the row that has these. */
export interface CreationPosition {
  readonly createdAt: Timestamp;
  readonly id: string;
}

/** Before every row. */
export const START: CreationPosition = { createdAt: EARLIEST as Timestamp, id: '' };

/** Enough that a page's own cost doesn't count, and little memory. */
const PAGE_SIZE = 1_000;

/** Lists all rows page by page, oldest first. A row that is there during the whole walk is listed exactly once. */
export async function* walkByCreation<Row extends CreationPosition>(
  list: (after: CreationPosition, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: CreationPosition = START;
  while (true) {
    const rows: readonly Row[] = await list(after, PAGE_SIZE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < PAGE_SIZE) return;
    after = { createdAt: last.createdAt, id: last.id };
  }
}
