/** A name that differs by more than this part of its characters from every known one isn't taken for a mistyped one. */
const MAX_DIFFERENCE = 0.25;
/** So many first characters of one known name mean it. */
const MIN_CUT_OFF = 4;

/** The known name that a mistyped one most likely means; `undefined`: it is like none. */
export function nameMeant<Name extends string>(given: string, known: readonly Name[]): Name | undefined {
  const start = given.slice(0, 64).toLowerCase();
  const begun = known.filter(name => start.length >= MIN_CUT_OFF && name.toLowerCase().startsWith(start));
  if (begun.length === 1) return begun[0];
  const differences = known.map(
    name => changesBetween(start, name.toLowerCase()) / Math.max(start.length, name.length),
  );
  const least = Math.min(...differences);
  return least <= MAX_DIFFERENCE ? known[differences.indexOf(least)] : undefined;
}

/** For the end of a message. */
export function didYouMean(given: string, known: readonly string[] = [], otherwise = ''): string {
  const meant = nameMeant(given, known);
  return meant === undefined ? otherwise : `, did you mean ${meant}?`;
}

/** How many characters to add, leave out or replace, or neighbours to swap: the optimal string alignment distance. */
function changesBetween(one: string, other: string): number {
  const table: number[][] = [];
  const changes = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= one.length; i++) {
    const row: number[] = [];
    table.push(row);
    for (let j = 0; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwap = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const replaced = changes(i - 1, j - 1) + (isSame ? 0 : 1);
      const swapped = isSwap ? changes(i - 2, j - 2) + 1 : replaced;
      row.push(i + j === 0 ? 0 : Math.min(changes(i - 1, j) + 1, changes(i, j - 1) + 1, replaced, swapped));
    }
  }
  return changes(one.length, other.length);
}
