import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import type { DeclaredField } from '../../service/roster/declared-fields.ts';
import { parseApiKey } from '../../service/roster/parse-api-key.ts';
import type { RosterWriter } from '../../service/roster/roster.ts';
import { isUse, looksLikeUse, parseKeyUse } from '../../service/roster/writes/key-use.ts';
import type { FeedLine } from '../../service/roster/writes/key-writer.ts';
import type { PutOutcome } from '../../service/roster/writes/put-outcome.ts';
import { cannotRead } from '../../shared/command/input/text-of-file.ts';
import { printAnswers } from '../../shared/command/terminal/print.ts';
import { readJsonLinesBy } from '../../shared/formats/json-lines.ts';
import { type Line, problemTexts, Refused } from '../../shared/record/faults.ts';
import { parseLineOf } from '../import/line-organization.ts';
import { batchesOf } from './batches.ts';
import { followedFile } from './followed-file.ts';
import type { Place, Position } from './position.ts';
import { untilStored } from './until-stored.ts';

/** A line, and behind the last one of what is read at once how far that is. */
type ReadLine = Line<FeedLine> & { readonly place?: Place | null };

/** Writes a batch of lines at once, answers each line when it is committed, and keeps the position after that. */
export async function runFeed(
  roster: RosterWriter,
  source: AsyncIterable<Buffer>,
  position: Position | null,
  stop: AbortSignal,
): Promise<void> {
  for await (const batch of batchesOf(feedLines(roster, source, position, stop))) {
    const valid = batch.filter(line => 'key' in line);
    const outcomeOf = new Map<ReadLine, PutOutcome | undefined>();
    // Keys first, as a use may come with its key; each in a transaction of its own, or two feeds would wait for each other's keys.
    for (const lines of [valid.filter(line => !isUse(line)), valid.filter(isUse)]) {
      const outcomes = lines.length > 0 ? await untilStored(() => roster.feedApiKeys(lines), stop) : [];
      for (const [index, line] of lines.entries()) outcomeOf.set(line, outcomes[index]);
    }
    await printAnswers(batch.map(line => answerTo(line, outcomeOf.get(line))));
    const place = batch.findLast(line => line.place)?.place;
    if (place) await position?.save(place);
  }
}

/** When it is asked to stop, a line that has no newline yet is left out: the rest of it may come later. */
async function* feedLines(
  roster: RosterWriter,
  source: AsyncIterable<Buffer>,
  position: Position | null,
  stop: AbortSignal,
): AsyncGenerator<readonly ReadLine[]> {
  let fields = await roster.listFields();
  /** For each chunk the fields of now; those of before while the store can't be read, as a feed waits until it can be written. */
  async function* refreshing() {
    for await (const chunk of source) {
      fields = await roster.listFields().catch(() => fields);
      yield chunk;
    }
  }
  try {
    const organization = { field: 'organization_id' };
    const parse = (record: unknown) => parseLineOf(organization, record, rest => parseKeyOrUse(rest, fields));
    for await (const batch of readJsonLinesBy<FeedLine>(parse, refreshing())) {
      const place = position?.place ?? null; // no more is read until these lines are taken
      yield batch.map((line, index) => ({ ...line, ...(index === batch.length - 1 && { place }) }));
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

const parseKeyOrUse = (record: unknown, fields: readonly DeclaredField[]) =>
  looksLikeUse(record) ? parseKeyUse(record) : parseApiKey(record, fields);

/** No ID of a refused line: it may be a secret in the wrong place. */
function answerTo(line: ReadLine, outcome: PutOutcome | undefined): object {
  const number = { line: line.line };
  if ('faults' in line) return { ...number, result: 'refused', problems: problemTexts(line.faults) };
  if (outcome === undefined || 'faults' in outcome)
    return { ...number, result: 'refused', problems: problemTexts(outcome?.faults ?? []) };
  return { ...number, id: line.key.id, organization_id: line.organizationId, result: outcome.result };
}

/** The bytes of a file, followed from its position on if it has one, or of standard input for `-`. When it is asked to stop, it rejects. */
export async function* feedSource(
  file: string,
  position: Position | null,
  stop: AbortSignal,
): AsyncGenerator<Buffer> {
  try {
    if (position) yield* followedFile(file, position, stop);
    else yield* addAbortSignal(stop, file === '-' ? process.stdin : readStream(file));
  } catch (error) {
    const isUnreadable = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isUnreadable ? new Refused(`feed: ${cannotRead(file, error)}`, { cause: error }) : error;
  }
}

/** The opening of a FIFO waits for its writer, and can't be stopped. */
function readStream(file: string): ReadStream {
  if (file.endsWith('.gz')) throw new Refused(`feed: ${file} is compressed: zcat ${file} | keyroster feed -`);
  if (statSync(file).isFIFO())
    throw new Refused(`feed: ${file} is a FIFO: give it as standard input: keyroster feed - < ${file}`);
  return createReadStream(file);
}
