import { readFileSync } from 'node:fs';
import { type Mapping, parseMapping } from '../../postgres/adoption/mapping/mapping.ts';
import { UsageError } from '../options/usage-error.ts';

/** Reads the mapping of a vendor's own table. Throws a `UsageError` that names each fault of the file. */
export function readMapping(file: string): Mapping {
  const parsed = parseMapping(jsonIn(file));
  if ('mapping' in parsed) return parsed.mapping;
  const faults = parsed.faults.map(({ field, problem }) => (field ? `${field}: ${problem}` : problem));
  throw new UsageError(`${file}: ${faults.join('; ')}`);
}

function jsonIn(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--mapping: ${file} can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file}: is not JSON: ${(error as Error).message}`);
  }
}
