import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { Refused } from '../../roster/errors.ts';
import type { PutOutcome } from '../../roster/put-outcome.ts';
import { problemTexts } from '../../roster/refusals.ts';
import type { RosterWriter } from '../../roster/roster.ts';
import { printAnswers } from '../terminal/print.ts';
import { batchesOf } from './batches.ts';
import { feedLines, type NumberedLine } from './feed-lines.ts';
import { followedFile } from './followed-file.ts';
import { untilStored } from './until-stored.ts';

/** Writes each batch of lines in one transaction, and answers each line when it is committed. */
export async function runFeed(
  roster: RosterWriter,
  source: AsyncIterable<Buffer>,
  stop: AbortSignal,
): Promise<void> {
  let fields = await roster.listFields();
  /** Those of before while the store can't be read: a feed waits until it can be written. */
  const declaredFields = async () => {
    fields = await roster.listFields().catch(() => fields);
    return fields;
  };
  for await (const batch of batchesOf(feedLines(source, stop, declaredFields))) {
    const valid = batch.filter(line => 'key' in line);
    const outcomes = valid.length > 0 ? await untilStored(() => roster.feedApiKeys(valid), stop) : [];
    const outcomeOf = new Map<NumberedLine, PutOutcome | undefined>(
      valid.map((line, index) => [line, outcomes[index]]),
    );
    await printAnswers(batch.map(line => answerTo(line, outcomeOf.get(line))));
  }
}

/** No ID of a refused line: it may be a secret in the wrong place. */
function answerTo(line: NumberedLine, outcome: PutOutcome | undefined): object {
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
    else yield* addAbortSignal(stop, file === '-' ? process.stdin : createReadStream(file));
  } catch (error) {
    const isUnreadable = (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isUnreadable
      ? new Refused(`feed: can't read ${file}: ${(error as Error).message}`, { cause: error })
      : error;
  }
}
