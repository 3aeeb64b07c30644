import { createHash } from 'node:crypto';
import type { ImportId } from '../../../../shared/record/identifier.ts';

/**
 * What the rows of an import are known by: `api_keys.import`, above 0. By the ID, so that nobody can give an import of theirs the
 * number of another one.
 */
export function numberOfImport(id: ImportId): string {
  const number = createHash('sha256').update(id).digest().readBigUInt64BE() >> 1n;
  return String(number);
}
