import assert from 'node:assert/strict';
import type { Examination } from '../../../src/service/adoption/examine/examine.ts';
import { parseMapping } from '../../../src/service/postgres/vendor-table/mapping.ts';
import { storeAt } from '../store-at.ts';

/** What is wrong with this file's mapping for its table. */
export async function examine(url: string, file: unknown): Promise<Examination> {
  const parsed = parseMapping(file);
  assert('mapping' in parsed, JSON.stringify(parsed));
  return (await storeAt(url).adoption()).examine(parsed.mapping);
}
