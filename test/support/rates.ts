/** How two things compare that are measured in turns. */

const AT_ONCE = 8;

/** Calls a second, for half a second. */
export async function rate(call: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let calls = 0;
  const loop = async () => {
    for (; performance.now() - start < 500; calls++) await call();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return Math.round((calls * 1_000) / (performance.now() - start));
}

/** The medians of both, in turns A B B A. */
export async function compared(
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<[number, number]> {
  const rates: [number[], number[]] = [[], []];
  for (const turn of [0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0])
    rates[turn === 0 ? 0 : 1].push(await (turn === 0 ? a : b)());
  const median = (values: number[]) => values.toSorted((x, y) => x - y)[values.length >> 1] as number;
  return [median(rates[0]), median(rates[1])];
}

export const ratio = (a: number, b: number) => (a / b).toFixed(2);
