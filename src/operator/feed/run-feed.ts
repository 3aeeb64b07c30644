import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import type { DeclaredField } from '../../service/roster/declared-fields.ts';
import { parseApiKey } from '../../service/roster/parse-api-key.ts';
import type { RosterWriter } from '../../service/roster/roster.ts';
import { type FeedLine, isUse, looksLikeUse, parseKeyUse } from '../../service/roster/writes/key-use.ts';
import type { PutOutcome } from '../../service/roster/writes/put-outcome.ts';
import { cannotRead } from '../../shared/command/input/text-of-file.ts';
import { printAnswers } from '../../shared/command/terminal/print.ts';
import { readJsonLinesBy } from '../../shared/formats/json-lines.ts';
import { type Line, problemTexts, Refused } from '../../shared/record/faults.ts';
import { parseLineOf } from '../import/line-organization.ts';
import { batchesOf } from './batches.ts';
import { untilStored } from './until-stored.ts';

/** Writes a batch of lines at once, and answers each line when it is committed. */
export async function runFeed(
  roster: RosterWriter,
  source: AsyncIterable<Buffer>,
  stop: AbortSignal,
): Promise<void> {
  for await (const batch of batchesOf(feedLines(roster, source, stop))) {
    const valid = batch.filter(line => 'key' in line);
    const outcomeOf = new Map<Line<FeedLine>, PutOutcome | undefined>();
    // Keys first, as a use may come with its key; each in a transaction of its own, or two feeds would wait for each other's keys.
    for (const lines of [valid.filter(line => !isUse(line)), valid.filter(isUse)]) {
      const outcomes = lines.length > 0 ? await untilStored(() => roster.feedApiKeys(lines), stop) : [];
      for (const [index, line] of lines.entries()) outcomeOf.set(line, outcomes[index]);
    }
    await printAnswers(batch.map(line => answerTo(line, outcomeOf.get(line))));
  }
}

/** When it is asked to stop, a line that has no newline yet is left out: the rest of it may come later. */
async function* feedLines(
  roster: RosterWriter,
  source: AsyncIterable<Buffer>,
  stop: AbortSignal,
): AsyncGenerator<readonly Line<FeedLine>[]> {
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
    yield* readJsonLinesBy<FeedLine>(parse, refreshing());
  } catch (error) {
    if (!stop.aborted || error instanceof Refused) throw error;
  }
}

const parseKeyOrUse = (record: unknown, fields: readonly DeclaredField[]) =>
  looksLikeUse(record) ? parseKeyUse(record) : parseApiKey(record, fields);

/** No ID of a refused line: it may be a secret in the wrong place. */
function answerTo(line: Line<FeedLine>, outcome: PutOutcome | undefined): object {
  const number = { line: line.line };
  if ('faults' in line) return { ...number, result: 'refused', problems: problemTexts(line.faults) };
  if (outcome === undefined || 'faults' in outcome)
    return { ...number, result: 'refused', problems: problemTexts(outcome?.faults ?? []) };
  return { ...number, id: line.key.id, organization_id: line.organizationId, result: outcome.result };
}

/** The bytes of a file, or of standard input for `-`. When it is asked to stop, it rejects. */
export async function* feedSource(file: string, stop: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* addAbortSignal(stop, file === '-' ? process.stdin : readStream(file));
  } catch (error) {
    if (stop.aborted && file !== '-')
      throw new Refused(`feed: stopped before the end of ${file}: feed it again`, { cause: error });
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
