/** How the functions of the library check their options. */
import { printableName } from './roster/printable-name.ts';
import { nearestName } from './server/nearest-name.ts';

/** A name that differs more than this from every option isn't taken for a mistyped one. */
const MAX_DIFFERENCE = 0.4;

/** A misspelt option would silently leave its default, such as no rate limit. */
export function refuseUnknown(options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new TypeError('options: must be an object');
  for (const [option, value] of Object.entries(options)) {
    if (value === undefined || known.includes(option)) continue;
    const { name, difference } = nearestName(option, known);
    const hint =
      difference > MAX_DIFFERENCE ? `; the options are ${known.join(', ')}` : `, did you mean ${name}?`;
    throw new TypeError(`${printableName(option)}: unknown option${hint}`);
  }
}

/** Throws a `TypeError` that names the option and its rule. */
export function required<T>(option: string, parsed: T | undefined, rule: string): T {
  if (parsed === undefined) throw new TypeError(`${option}: ${rule}`);
  return parsed;
}
