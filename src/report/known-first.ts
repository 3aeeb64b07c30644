/** Orders groups: those that this version knows, in their order; then those that only a newer service has, most keys first. */
export const knownFirst =
  (known: readonly string[]) =>
  ([a, inA]: readonly [string, number], [b, inB]: readonly [string, number]): number => {
    const place = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length);
    return place(a) - place(b) || inB - inA || (a < b ? -1 : 1);
  };
