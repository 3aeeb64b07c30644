import type { KeyrosterClient } from '../../client/client.ts';
import type { LineOrganization } from '../../formats/line-organization.ts';
import type { DeclaredField } from '../../roster/declared-fields.ts';
import type { OrganizationId } from '../../roster/identifier.ts';
import type { ImportLine, ImportRefusal, ImportResult } from '../../roster/imports.ts';
import type { RosterWriter } from '../../roster/roster.ts';
import { sizeOf } from '../input/input-file.ts';
import { formatOf } from '../options/shared-options.ts';
import { printError } from '../terminal/print.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { whenInterrupted } from '../terminal/when-interrupted.ts';
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
  { format, exact, ...choices }: ImportChoices & FileChoices = {},
): Promise<ImportResult> {
  const size = sizeOf(file);
  return importFrom(roster, organization, 'line', choices, (bar, fields) => {
    return fileLines(file, organization, formatOf(format, file), { fields, exact }, (bytes, records) =>
      bar.draw(size && bytes / size, 'reading', records),
    );
  });
}

/** Imports the roster of another service. Throws as `importFile` does, and a `KeyrosterError`. */
export async function importService(
  roster: RosterWriter,
  organization: OrganizationId,
  client: KeyrosterClient,
  choices: ImportChoices,
): Promise<ImportResult> {
  const { DroppedFields, serviceLines } = await import('./service-lines.ts'); // a file needs no client
  const dropped = new DroppedFields();
  const result = await importFrom(roster, { id: organization }, 'record', choices, (bar, fields) =>
    serviceLines(client, organization, { dropped, fields }, bar),
  );
  const warning = dropped.warning();
  if (warning !== undefined) printError(warning);
  return result;
}

/** @param unit what messages call one entry of the source. */
async function importFrom(
  roster: RosterWriter,
  organization: LineOrganization,
  unit: 'line' | 'record',
  { rejects: rejectsPath, dryRun = false, createOrganizations = false }: ImportChoices,
  linesOf: (bar: ProgressBar, fields: readonly DeclaredField[]) => AsyncIterable<readonly ImportLine[]>,
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
    printRefusal(unit, refusal);
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
    const result = await roster.importApiKeys(linesOf(bar, fields), options);
    if (result.refused > 0 && !rejects) throw allRefused(result.refused, unit, 'imported', remedies);
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
