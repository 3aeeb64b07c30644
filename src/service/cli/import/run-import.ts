import { sizeOf } from '../../../shared/command/input/input-file.ts';
import { formatOf } from '../../../shared/command/options.ts';
import { printError } from '../../../shared/command/terminal/print.ts';
import { ProgressBar } from '../../../shared/command/terminal/progress-bar.ts';
import { whenInterrupted } from '../../../shared/command/terminal/when-interrupted.ts';
import type { LineOrganization } from '../../formats/line-organization.ts';
import type { ImportRefusal, ImportResult } from '../../roster/imports.ts';
import type { RosterWriter } from '../../roster/roster.ts';
import { fileLines } from './file-lines.ts';
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
  const size = sizeOf(file);
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
    const onRead = (bytes: number, records: number) => bar.draw(size && bytes / size, 'reading', records);
    const lines = fileLines(file, organization, formatOf(format, file), { fields, exact }, onRead);
    const result = await roster.importApiKeys(lines, options);
    if (result.refused > 0 && !rejects) throw allRefused(result.refused, 'imported', remedies);
    if (dryRun) rejects?.remove();
    else rejects?.finish();
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
