import type { Timestamp } from './timestamp.ts';

/** Where a list goes on that is ordered by creation time, then by ID as bytes, both ascending: behind the row that has these. */
export interface CreationPosition {
  readonly createdAt: Timestamp;
  readonly id: string;
}

/** No index has this order, so each page reads the whole table once. Large pages are few, and of some megabytes. */
const PAGE_SIZE = 5_000;

/** Lists all rows page by page, oldest first. A row that is there during the whole walk is listed exactly once. */
export async function* walkByCreation<Row extends CreationPosition>(
  list: (after: CreationPosition | null, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: CreationPosition | null = null;
  while (true) {
    const rows: readonly Row[] = await list(after, PAGE_SIZE);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < PAGE_SIZE) return;
    after = { createdAt: last.createdAt, id: last.id };
  }
}
