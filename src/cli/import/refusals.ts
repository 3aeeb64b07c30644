/** How the commands that read a file tell which lines they refuse. */
import { Refused } from '../../roster/errors.ts';
import type { RefusedLine } from '../../roster/line.ts';
import { printError } from '../terminal/print.ts';

/** Refused lines shown one by one; the rest are counted. */
export const MAX_SHOWN = 20;

/** @param unit what messages call one entry of the source. */
export function printRefusal(unit: 'line' | 'record', { line, faults }: RefusedLine): void {
  for (const { field, problem } of faults)
    printError(`${unit} ${line}: ${field === null ? '' : `${field}: `}${problem}`);
}

export function allRefused(refused: number, unit: 'line' | 'record', done: 'imported' | 'made'): Refused {
  const shownOnly = refused > MAX_SHOWN ? ` (the first ${MAX_SHOWN} are shown)` : '';
  return new Refused(`${refused} ${unit}(s) refused${shownOnly}: nothing was ${done}`);
}

/** Throws `Refused` when a line was refused, and prints the first ones. */
export function requireNoneRefused(refused: readonly RefusedLine[], done: 'imported' | 'made'): void {
  for (const each of refused.slice(0, MAX_SHOWN)) printRefusal('line', each);
  if (refused.length > 0) throw allRefused(refused.length, 'line', done);
}
