import { setFlagsFromString } from 'node:v8';
import type { ApiKeyPage, KeyrosterClient, ListParameters } from '../../client/client.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { RecordReader } from './checked-records.ts';

/** Keys per page of a walk. Larger pages are hardly faster, and take more memory. */
export const WALK_LIMIT = 500;

/** Newest first, in both directions. */
export type WalkedPage = Pick<ApiKeyPage, 'data' | 'organizationId'>;

/**
 * Reads all pages of a query, their records by a `RecordReader`, and shows the progress, unless the records themselves show it.
 *
 * A walk makes garbage as fast as pages come, and V8 prefers to grow the heap: to 250 MB for a million keys, where half
 * would do. The flag makes it collect sooner. It takes effect although the heap is in use already.
 */
export async function* walkPages(
  client: KeyrosterClient,
  query: ListParameters,
  { showsProgress = true } = {},
): AsyncGenerator<WalkedPage, void> {
  setFlagsFromString('--optimize-for-size');
  const bar = new ProgressBar();
  const reader = new RecordReader();
  let records = 0;
  try {
    for await (const page of client.apiKeys.pages(query)) {
      records += page.data.length;
      if (showsProgress) bar.draw(undefined, 'reading', records);
      yield { data: reader.read(page.data), organizationId: page.organizationId };
    }
  } finally {
    bar.clear();
    reader.printWarning();
  }
}
