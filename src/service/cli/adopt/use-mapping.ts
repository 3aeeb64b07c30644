import { UsageError } from '../../../shared/command/command.ts';
import { textOfOption } from '../../../shared/command/input/text-of-file.ts';
import { printData, printError, printLine } from '../../../shared/command/terminal/print.ts';
import { problemTexts, Refused } from '../../../shared/record/faults.ts';
import type { Adoption } from '../../adoption/adopt.ts';
import type { Mapping } from '../../postgres/vendor-table/mapping.ts';
import { parseMapping } from '../../postgres/vendor-table/mapping.ts';
import { actorOf, type WriteFlags, warnedStoreAt } from '../options/database.ts';

export interface MappingFlags extends WriteFlags {
  readonly mapping: string;
  readonly apply?: boolean;
}

/** `adopt --mapping FILE`: prints the SQL that serves the table, or with `--apply` runs it. */
export async function useMapping({ mapping: file, database, actor, apply }: MappingFlags): Promise<void> {
  const by = actorOf(actor);
  const mapping = readMapping(file);
  const adoption = await (await warnedStoreAt(database)).adoption();
  await examine(adoption, mapping, { file, apply });
  if (!apply) {
    await printData(`${await adoption.sql(mapping)}\n`);
    return;
  }
  // Stopped once, it undoes the step that runs. Stopped once more, the process ends at once, as any does.
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
  await adoption.apply(mapping, { actor: by, onStep: printStep, stop: stopping.signal });
  printLine(
    'done: keyroster.api_keys is a view over the table. "keyroster check" looks at its indexes, and at all rows: this looked at a sample',
  );
}

/** Reads the mapping of a vendor's own table. Throws a `UsageError` that names each fault of the file. */
function readMapping(file: string): Mapping {
  const parsed = parseMapping(jsonIn(file));
  if ('mapping' in parsed) return parsed.mapping;
  throw new UsageError(`${file}: ${problemTexts(parsed.faults).join('; ')}`);
}

function jsonIn(file: string): unknown {
  const text = textOfOption('--mapping', file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file}: is not JSON: ${(error as Error).message}`);
  }
}

/** Tells what is wrong with the mapping for its table. Throws `Refused` where it can't be used, or a page would fail at once. */
async function examine(
  adoption: Adoption,
  mapping: Mapping,
  { file, apply }: { file: string; apply: boolean | undefined },
): Promise<void> {
  const { faults, warnings } = await adoption.examine(mapping);
  for (const { field, problem } of warnings) printError(`keyroster: warning: ${field}: ${problem}`);
  const failing = warnings.filter(({ kind }) => apply && kind === 'page').map(({ field }) => field);
  if (faults.length > 0) throw new Refused(`${file}: ${problemTexts(faults).join('; ')}`);
  if (failing.length > 0) throw new Refused(`${file}: ${failing.join(', ')}: ${CORRECT}`);
}

const CORRECT = 'nothing was done, as rows of the sample could not be listed: correct these, or the sources';

/** `adopt --remove`: takes an adoption back. */
export async function removeAdoption({ database }: WriteFlags): Promise<void> {
  const adoption = await (await warnedStoreAt(database)).adoption();
  const isOwn = await adoption.remove(printStep);
  const now = isOwn ? "keyroster.api_keys is Keyroster's own table" : 'there is no table keyroster.api_keys';
  printLine(`done: the view and the indexes are gone, and ${now}`);
}

function printStep(what: string): void {
  printError(`keyroster: ${what}`);
}
