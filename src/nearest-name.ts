import { distance } from 'fastest-levenshtein';

/** The known name that the given one most resembles, and how much the two differ: from 0 to 1, all characters. */
export function nearestName<Name extends string>(given: string, known: readonly Name[]) {
  const start = given.slice(0, 64).toLowerCase();
  const candidates = known.map(name => {
    const changes = distance(start, name.toLowerCase());
    return { name, difference: changes / Math.max(start.length, name.length) };
  });
  return candidates.reduce((best, candidate) => (candidate.difference < best.difference ? candidate : best));
}
