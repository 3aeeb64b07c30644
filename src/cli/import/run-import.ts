import { type Stats, statSync } from 'node:fs';
import type { KeyrosterClient } from '../../client/client.ts';
import type { ImportCounts } from '../../roster/counts.ts';
import { Refused } from '../../roster/errors.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import type { ImportLine, ImportRefusal, RosterWriter } from '../../roster/roster.ts';
import { formatOf } from '../options/shared-options.ts';
import { printError } from '../terminal/print.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { fileLines } from './file-lines.ts';
import { mappedBy } from './map-file.ts';
import { RejectsFile } from './rejects-file.ts';
import { DroppedFields, serviceLines } from './service-lines.ts';

/** Refused lines shown one by one; the rest are counted. */
const MAX_SHOWN = 20;

export interface ImportChoices {
  /** A new file for the refused lines. Without one, a single refused line keeps everything from being imported. */
  readonly rejects?: string;
  readonly dryRun?: boolean;
}

export interface FileChoices {
  readonly format?: string;
  /** Whether the text of CSV is exact, and not made safe for spreadsheets. */
  readonly exact?: boolean;
  /** The file of an `ImportMap`. */
  readonly map?: string;
}

/** Imports a file. Throws `Refused` when a line is refused and there is no rejects file to write it to. */
export async function importFile(
  roster: RosterWriter,
  organization: OrganizationId,
  file: string,
  { format, exact = false, map, ...choices }: ImportChoices & FileChoices = {},
): Promise<ImportCounts> {
  const mapped = map === undefined ? undefined : mappedBy(map);
  const size = file === '-' ? undefined : sizeOf(file);
  return importFrom(roster, organization, 'line', choices, bar =>
    fileLines(
      file,
      formatOf(format, file),
      exact,
      (bytes, records) => bar.draw(size && bytes / size, 'reading', records),
      mapped,
    ),
  );
}

/** Imports the roster of another service. Throws as `importFile` does, and a `KeyrosterError`. */
export async function importService(
  roster: RosterWriter,
  organization: OrganizationId,
  client: KeyrosterClient,
  choices: ImportChoices,
): Promise<ImportCounts> {
  const dropped = new DroppedFields();
  const counts = await importFrom(roster, organization, 'record', choices, bar =>
    serviceLines(client, dropped, records => bar.draw(undefined, 'reading', records)),
  );
  const warning = dropped.warning();
  if (warning !== undefined) printError(warning);
  return counts;
}

/** @param unit what messages call one entry of the source. */
async function importFrom(
  roster: RosterWriter,
  organization: OrganizationId,
  unit: 'line' | 'record',
  { rejects: rejectsPath, dryRun = false }: ImportChoices,
  linesOf: (bar: ProgressBar) => AsyncIterable<readonly ImportLine[]>,
): Promise<ImportCounts> {
  const rejects = rejectsPath === undefined ? undefined : new RejectsFile(rejectsPath);
  const bar = new ProgressBar();
  let shown = 0;
  const onRefused = (refusal: ImportRefusal) => {
    rejects?.add(refusal);
    if (shown++ >= MAX_SHOWN) return;
    bar.clear();
    for (const line of refusalLines(unit, refusal)) printError(line);
  };
  const onProgress = (written: number, of: number) => bar.draw(written / of, 'writing', written);
  try {
    const options = { onRefused, onProgress, dryRun, skipRefused: rejects !== undefined };
    const counts = await roster.importApiKeys(organization, linesOf(bar), options);
    if (counts.refused > 0 && !rejects) {
      const shownOnly = counts.refused > MAX_SHOWN ? ` (the first ${MAX_SHOWN} are shown)` : '';
      throw new Refused(`${counts.refused} ${unit}(s) refused${shownOnly}: nothing was imported`);
    }
    return counts;
  } catch (error) {
    rejects?.remove();
    throw error;
  } finally {
    bar.clear();
    rejects?.close();
  }
}

function sizeOf(file: string): number {
  let found: Stats;
  try {
    found = statSync(file);
  } catch (error) {
    throw new Refused(`import: can't read ${file}: ${(error as Error).message}`, { cause: error });
  }
  if (found.isDirectory()) throw new Refused(`import: ${file} is a folder: give a file`);
  return found.size;
}

function refusalLines(unit: string, { line, faults }: ImportRefusal): string[] {
  return faults.map(
    ({ field, problem }) => `${unit} ${line}: ${field === null ? '' : `${field}: `}${problem}`,
  );
}
