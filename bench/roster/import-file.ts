import { readFileSync, rmSync } from 'node:fs';
import type { ImportCounts } from '../../src/service/roster/writes/put-outcome.ts';
import { keyroster, type Run } from '../processes/run.ts';
import { ORGANIZATION } from './store.ts';

/** Imports a file with `keyroster import` and checks the counts that it prints. */
export async function importFile(
  source: string,
  database: string,
  expected: Partial<ImportCounts>,
): Promise<Run> {
  const output = `${source}.counts`;
  const flags = ['--organization', ORGANIZATION, '--json'];
  const result = await keyroster({ database, output }, 'import', source, ...flags);
  const counts = JSON.parse(readFileSync(output, 'utf8'));
  rmSync(output);
  const all = { inserted: 0, updated: 0, unchanged: 0, refused: 0, ...expected };
  for (const [name, count] of Object.entries(all)) {
    if (counts[name] !== count) throw new Error(`import: ${name} is ${counts[name]}, expected ${count}`);
  }
  return result;
}
