import { linesOfFile, sizeOf } from '../../../shared/command/input/input-file.ts';
import { ProgressBar } from '../../../shared/command/terminal/progress-bar.ts';
import { readJsonLinesBy } from '../../../shared/formats/json-lines.ts';
import type { Faulty, Line } from '../../../shared/record/faults.ts';

/** All lines of a file of JSON Lines, or of standard input for `-`: of organizations or admin keys, which fit into memory. */
export async function allLines<Parsed extends object>(
  file: string,
  parse: (record: unknown) => Parsed | Faulty,
): Promise<readonly Line<Parsed>[]> {
  const size = sizeOf(file);
  const bar = new ProgressBar();
  const batches = linesOfFile(
    file,
    plain => readJsonLinesBy(parse, plain),
    (bytes, records) => bar.draw(size && bytes / size, 'reading', records),
  );
  try {
    const lines: Line<Parsed>[] = [];
    for await (const batch of batches) lines.push(...batch);
    return lines;
  } finally {
    bar.clear();
  }
}
