/** How the commands that read a file tell which lines they refuse. */

import { printError } from '../../shared/command/terminal/print.ts';
import { type Fault, Refused, type RefusedLine } from '../../shared/record/faults.ts';
import { UNKNOWN_FIELD } from '../../shared/record/fields.ts';

/** Refused lines shown one by one; the rest are counted. */
export const MAX_SHOWN = 20;

export function printRefusal({ line, faults }: RefusedLine): void {
  for (const { field, problem } of faults)
    printError(`line ${line}: ${field === null ? '' : `${field}: `}${problem}`);
}

export function allRefused(refused: number, remedies: Iterable<string> = []): Refused {
  const shownOnly = refused > MAX_SHOWN ? ` (the first ${MAX_SHOWN} are shown)` : '';
  return new Refused(
    [`${refused} line(s) refused${shownOnly}: nothing was imported`, ...remedies].join('; '),
  );
}

/** What an operator can do about a fault that isn't the file's. */
export function remediesOf({ field, problem }: Fault): string[] {
  if (problem === UNKNOWN_FIELD) return ['"keyroster fields add" declares a field of your own'];
  const isUnknown = field === 'organization_id' && problem.startsWith('there is no organization');
  return isUnknown ? ['--create-organizations creates the organizations that are missing'] : [];
}
