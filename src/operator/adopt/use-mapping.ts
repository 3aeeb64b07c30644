import { type Mapping, parseMapping } from '../../service/postgres/vendor-table/mapping.ts';
import { UsageError } from '../../shared/command/command.ts';
import { textOfOption } from '../../shared/command/input/text-of-file.ts';
import { printData, printError, printLine } from '../../shared/command/terminal/print.ts';
import { problemTexts, Refused } from '../../shared/record/faults.ts';
import { actorOf, type WriteFlags, warnedStoreAt } from '../options/database.ts';
import type { Adoption } from './adopt.ts';
import { adoptionIn } from './open-adoption.ts';

export interface MappingFlags extends WriteFlags {
  readonly mapping: string;
  readonly apply?: boolean;
}

/** `adopt --mapping FILE`: prints the SQL that serves the table, or with `--apply` runs it. */
export async function useMapping({ mapping: file, database, actor, apply }: MappingFlags): Promise<void> {
  const by = actorOf(actor);
  const mapping = readMapping(file);
  const adoption = await adoptionIn(await warnedStoreAt(database));
  const isWhole = await examine(adoption, mapping, file);
  if (!apply) {
    await printData(`${await adoption.sql(mapping)}\n`);
    return;
  }
  if (!isWhole) throw new Refused(`${file}: nothing was done: correct the rows or fields of the warnings`);
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

/** Tells what is wrong with the mapping for its table, and returns whether pages have each row of the sample. Throws `Refused` where it can't be used. */
async function examine(adoption: Adoption, mapping: Mapping, file: string): Promise<boolean> {
  const findings = await adoption.examine(mapping);
  const faults = findings.filter(({ kind }) => kind === 'fault');
  const warnings = findings.filter(({ kind }) => kind !== 'fault');
  for (const { field, problem } of warnings) printError(`keyroster: warning: ${field}: ${problem}`);
  if (faults.length > 0) throw new Refused(`${file}: ${problemTexts(faults).join('; ')}`);
  return warnings.every(({ kind }) => kind === 'look');
}

/** `adopt --remove`: takes an adoption back. */
export async function removeAdoption({ database }: WriteFlags): Promise<void> {
  const adoption = await adoptionIn(await warnedStoreAt(database));
  const isOwn = await adoption.remove(printStep);
  const now = isOwn ? "keyroster.api_keys is Keyroster's own table" : 'there is no table keyroster.api_keys';
  printLine(`done: the view and the indexes are gone, and ${now}`);
}

function printStep(what: string): void {
  printError(`keyroster: ${what}`);
}
