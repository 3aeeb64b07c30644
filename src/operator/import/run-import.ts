import type { RosterWriter } from '../../service/roster/roster.ts';
import type { ImportLine, ImportRefusal, ImportResult } from '../../service/roster/writes/imports.ts';
import { linesOfFile } from '../../shared/command/input/input-file.ts';
import { formatOf } from '../../shared/command/options.ts';
import { printError } from '../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../shared/command/terminal/progress-bar.ts';
import { whenInterrupted } from '../../shared/command/terminal/when-interrupted.ts';
import { decodeUtf8 } from '../../shared/formats/text.ts';
import type { LineOrganization } from './line-organization.ts';
import type { CsvOptions } from './read-csv.ts';
import { readJsonLines } from './read-json-lines.ts';
import { allRefused, MAX_SHOWN, printRefusal, remediesOf } from './refusals.ts';
import { RejectsFile } from './rejects-file.ts';

export interface ImportChoices {
  /** A new file for the refused lines. Without one, a single refused line keeps everything from being imported. */
  readonly rejects?: string;
  readonly dryRun?: boolean;
  readonly createOrganizations?: boolean;
}

export interface FileChoices {
  readonly format?: string;
  /** Whether the text of CSV is exact, and not made safe for spreadsheets. */
  readonly exact?: boolean;
}

/** Imports a file. Throws `Refused` when a line is refused and there is no rejects file to write it to. */
export async function importFile(
  roster: RosterWriter,
  organization: LineOrganization,
  file: string,
  {
    format,
    exact,
    rejects: rejectsPath,
    dryRun = false,
    createOrganizations = false,
  }: ImportChoices & FileChoices = {},
): Promise<ImportResult> {
  // Else each of its lines would be refused.
  if ('id' in organization) await roster.findOrganization(organization.id);
  const fields = await roster.listFields();
  const namesOrganization = 'field' in organization;
  const rejects = rejectsPath === undefined ? undefined : new RejectsFile(rejectsPath, { namesOrganization });
  const bar = new ProgressBar();
  let shown = 0;
  const remedies = new Set<string>();
  const onRefused = (refusal: ImportRefusal) => {
    for (const fault of refusal.faults) for (const remedy of remediesOf(fault)) remedies.add(remedy);
    rejects?.add(refusal);
    if (shown++ >= MAX_SHOWN) return;
    bar.clear();
    printRefusal(refusal);
  };
  let isWriting = false;
  const onProgress = (written: number, of: number) => {
    isWriting = true;
    bar.draw(written / of, 'writing', written);
  };
  const stopListening = whenInterrupted(() => {
    if (!isWriting)
      rejects?.remove(); // later the import may be done already
    else if (rejects) printError(`${rejectsPath} may be of an import that was done: keyroster imports list`);
  });
  try {
    const skipRefused = rejects !== undefined;
    const options = { onRefused, onProgress, createOrganizations, dryRun, skipRefused };
    const read = formatOf(format, file) === 'csv' ? csvLines : readJsonLines;
    const lines = linesOfFile(file, plain => read(plain, organization, { fields, exact }), bar);
    const result = await roster.importApiKeys(lines, options);
    if (result.refused > 0 && !rejects) throw allRefused(result.refused, remedies);
    if (dryRun || result.refused === 0) rejects?.remove();
    return result;
  } catch (error) {
    rejects?.remove();
    throw error;
  } finally {
    stopListening();
    bar.clear();
    rejects?.close();
  }
}

/** Loaded when it is used: the other commands shouldn't pay for the parser's memory. */
async function* csvLines(
  plain: AsyncIterable<Buffer>,
  organization: LineOrganization,
  options: CsvOptions,
): AsyncGenerator<readonly ImportLine[]> {
  const { readCsv } = await import('./read-csv.ts');
  yield* readCsv(decodeUtf8(plain), organization, options);
}
