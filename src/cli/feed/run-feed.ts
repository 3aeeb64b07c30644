import { createReadStream, type ReadStream, statSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { readJsonLinesBy } from '../../formats/json-lines.ts';
import { parseLineOf, type ValidLine } from '../../formats/line-organization.ts';
import { Refused } from '../../roster/errors.ts';
import { parseApiKey } from '../../roster/parse-api-key.ts';
import type { PutOutcome } from '../../roster/put-outcome.ts';
import { problemTexts } from '../../roster/refusals.ts';
import type { ImportLine, RosterWriter } from '../../roster/roster.ts';
import { cannotRead } from '../input/cannot-read.ts';
import { printAnswers } from '../terminal/print.ts';
import { batchesOf } from './batches.ts';
import { followedFile } from './followed-file.ts';
import { untilStored } from './until-stored.ts';

/** Writes each batch of lines in one transaction, and answers each line when it is committed. */
export async function runFeed(
  roster: RosterWriter,
  source: AsyncIterable<Buffer>,
  stop: AbortSignal,
): Promise<void> {
  for await (const batch of batchesOf(feedLines(roster, source, stop))) {
    const valid = batch.filter(line => 'key' in line);
    const outcomes = valid.length > 0 ? await untilStored(() => roster.feedApiKeys(valid), stop) : [];
    const outcomeOf = new Map<ImportLine, PutOutcome | undefined>(
      valid.map((line, index) => [line, outcomes[index]]),
    );
    await printAnswers(batch.map(line => answerTo(line, outcomeOf.get(line))));
  }
}

/** When it is asked to stop, a line that has no newline yet is left out: the rest of it may come later. */
async function* feedLines(
  roster: RosterWriter,
  source: AsyncIterable<Buffer>,
  stop: AbortSignal,
): AsyncGenerator<readonly ImportLine[]> {
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
    const parse = (record: unknown) => parseLineOf(organization, record, rest => parseApiKey(rest, fields));
    for await (const batch of readJsonLinesBy<ValidLine>(parse, refreshing()))
      yield batch.map(line => ({ organizationId: null, ...line }));
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

/** No ID of a refused line: it may be a secret in the wrong place. */
function answerTo(line: ImportLine, outcome: PutOutcome | undefined): object {
  const number = { line: line.line };
  if ('faults' in line) return { ...number, result: 'refused', problems: problemTexts(line.faults) };
  if (outcome === undefined || 'faults' in outcome)
    return { ...number, result: 'refused', problems: problemTexts(outcome?.faults ?? []) };
  return { ...number, id: line.key.id, organization_id: line.organizationId, result: outcome.result };
}

/** The bytes of a file, or of standard input for `-`. When it is asked to stop, it rejects. */
export async function* feedSource(file: string, follow: boolean, stop: AbortSignal): AsyncGenerator<Buffer> {
  try {
    if (follow) yield* followedFile(file, stop);
    else yield* addAbortSignal(stop, file === '-' ? process.stdin : readStream(file));
  } catch (error) {
    const isUnreadable = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isUnreadable ? new Refused(`feed: ${cannotRead(file, error)}`, { cause: error }) : error;
  }
}

/** The opening of a FIFO waits for its writer, and can't be stopped. */
function readStream(file: string): ReadStream {
  if (statSync(file).isFIFO())
    throw new Refused(`feed: ${file} is a FIFO: give it as standard input: keyroster feed - < ${file}`);
  return createReadStream(file);
}
