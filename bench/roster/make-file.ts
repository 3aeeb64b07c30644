/**
 * Prints API keys as JSON Lines, the same in every run: `node bench/roster/make-file.ts 1000000 > keys.jsonl`. The order is
 * oldest first; the second argument `newest` or `random` changes it.
 */
import { once } from 'node:events';
import { renderApiKey } from '../../src/roster/api-key-record.ts';
import { hash32, makeApiKey } from './make-api-keys.ts';

const [keys = '1000000', order] = process.argv.slice(2);
const BATCH = 1_000;

const numbers = Uint32Array.from({ length: Number(keys) }, (_, number) => number);
if (order === 'newest') numbers.reverse();
if (order === 'random') shuffle(numbers);
for (let from = 0; from < numbers.length; from += BATCH) {
  const lines = Array.from(
    numbers.subarray(from, from + BATCH),
    number => `${renderApiKey(makeApiKey(number))}\n`,
  );
  if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain');
}

/** A Fisher–Yates shuffle, the same in every run. */
function shuffle(numbers: Uint32Array): void {
  for (let last = numbers.length - 1; last > 0; last--) {
    const other = hash32(last, 8) % (last + 1);
    [numbers[last], numbers[other]] = [numbers[other] ?? 0, numbers[last] ?? 0];
  }
}
