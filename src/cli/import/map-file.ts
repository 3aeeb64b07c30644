import { duplicateMembers } from '../../formats/duplicate-members.ts';
import { parseImportMap } from '../../formats/import-map.ts';
import { MappedRecords } from '../../formats/mapped-records.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { printableName } from '../../roster/printable-name.ts';
import { problemTexts } from '../../roster/refusals.ts';
import { cannotRead } from '../input/cannot-read.ts';
import { textOfFile } from '../input/text-of-file.ts';
import { UsageError } from '../options/usage-error.ts';
import { remediesOf } from './refusals.ts';

/** What reads records by the map in this file. Throws a `UsageError` that names each fault of the file, and none of its values. */
export function mappedBy(file: string, declared: readonly DeclaredField[]): MappedRecords {
  const text = textIn(file);
  const parsed = parseImportMap(jsonOf(text), declared);
  const faults = 'faults' in parsed ? parsed.faults : [];
  const problems = [
    ...duplicateMembers(text).map(name => `${printableName(name)}: is there more than once: leave one`),
    ...problemTexts(faults),
    ...new Set(faults.flatMap(remediesOf)),
  ];
  if ('faults' in parsed || problems.length > 0) throw new UsageError(`--map: ${problems.join('; ')}`);
  return new MappedRecords(parsed.map, declared);
}

function textIn(file: string): string {
  try {
    return textOfFile(file);
  } catch (error) {
    throw new UsageError(`--map: ${cannotRead(file, error)}`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError('--map: is not JSON');
  }
}
