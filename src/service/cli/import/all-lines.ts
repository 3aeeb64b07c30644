import { linesOfFile } from '../../../shared/command/input/input-file.ts';
import { readJsonLinesBy } from '../../../shared/formats/json-lines.ts';
import type { Faulty, Line } from '../../../shared/record/faults.ts';

/** All lines of a file of JSON Lines, or of standard input for `-`: of organizations or the audit log, which fit into memory. */
export async function allLines<Parsed extends object>(
  file: string,
  parse: (record: unknown) => Parsed | Faulty,
): Promise<readonly Line<Parsed>[]> {
  const lines: Line<Parsed>[] = [];
  for await (const batch of linesOfFile(file, plain => readJsonLinesBy(parse, plain))) lines.push(...batch);
  return lines;
}
