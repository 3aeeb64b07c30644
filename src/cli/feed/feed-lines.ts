import { parseJsonLine, splitLines } from '../../formats/json-lines.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import { type ParsedFeedLine, parseFeedLine } from '../../roster/parse-feed-line.ts';

/** A line of the source, counted from 1. */
export type NumberedLine = { readonly line: number } & ParsedFeedLine;

/**
 * Reads JSON Lines, one batch for each chunk of the source, which rejects when it is asked to stop. Then a line that has no newline
 * yet is left out: the rest of it may come later.
 */
export async function* feedLines(
  source: AsyncIterable<Buffer>,
  stop: AbortSignal,
  declaredFields: () => Promise<readonly DeclaredField[]>,
): AsyncGenerator<readonly NumberedLine[]> {
  let line = 0;
  try {
    for await (const lines of splitLines(source)) {
      const fields = await declaredFields();
      yield lines.flatMap(bytes => {
        line += 1;
        const parsed = parseJsonLine(bytes, line === 1, record => parseFeedLine(record, fields));
        return parsed ? [{ line, ...parsed }] : [];
      });
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}
