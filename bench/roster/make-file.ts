/** Prints API keys as JSON Lines, oldest first, the same in every run: `node bench/roster/make-file.ts 1000000 > keys.jsonl`. */
import { once } from 'node:events';
import { renderApiKey } from '../../src/service/roster/api-key.ts';
import { makeApiKey } from './make-api-keys.ts';

const keys = Number(process.argv[2]);
const BATCH = 1_000;

for (let from = 0; from < keys; from += BATCH) {
  const length = Math.min(BATCH, keys - from);
  const lines = Array.from({ length }, (_, index) => `${renderApiKey(makeApiKey(from + index))}\n`);
  if (!process.stdout.write(lines.join(''))) await once(process.stdout, 'drain');
}
