import { distance } from 'fastest-levenshtein';

/** A name that differs more than this from every known one isn't taken for a mistyped one. */
const MAX_DIFFERENCE = 0.4;

/** The known name that a mistyped one most likely means; `undefined`: it is like none. */
export function nameMeant<Name extends string>(given: string, known: readonly Name[]): Name | undefined {
  if (known.length === 0) return undefined;
  const { name, difference } = nearestName(given, known);
  return difference > MAX_DIFFERENCE ? undefined : name;
}

/** The known name that the given one most resembles, and how much the two differ: from 0 to 1, all characters. */
export function nearestName<Name extends string>(given: string, known: readonly Name[]) {
  const start = given.slice(0, 64).toLowerCase();
  const candidates = known.map(name => {
    const changes = distance(start, name.toLowerCase());
    return { name, difference: changes / Math.max(start.length, name.length) };
  });
  return candidates.reduce((best, candidate) => (candidate.difference < best.difference ? candidate : best));
}
