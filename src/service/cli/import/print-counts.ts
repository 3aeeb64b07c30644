import { printJson, printLine } from '../../../shared/command/terminal/print.ts';
import type { ImportCounts } from '../../roster/put-outcome.ts';

export async function printCounts(
  counts: ImportCounts,
  { dryRun, json }: { readonly dryRun?: boolean; readonly json?: boolean },
): Promise<void> {
  if (json) await printJson(counts);
  else printLine(summary(counts, dryRun === true));
}

function summary({ inserted, updated, unchanged, refused }: ImportCounts, dryRun: boolean): string {
  const counts = `inserted ${inserted}, updated ${updated}, unchanged ${unchanged}, refused ${refused}`;
  return dryRun ? `dry run, nothing was changed: ${counts}` : counts;
}
