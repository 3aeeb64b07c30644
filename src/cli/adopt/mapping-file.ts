import type { Mapping } from '../../postgres/adoption/mapping/mapping.ts';
import { parseMapping } from '../../postgres/adoption/mapping/parse-mapping.ts';
import { cannotRead } from '../input/cannot-read.ts';
import { textOfFile } from '../input/text-of-file.ts';
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
    text = textOfFile(file);
  } catch (error) {
    throw new UsageError(`--mapping: ${cannotRead(file, error)}`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file}: is not JSON: ${(error as Error).message}`);
  }
}
