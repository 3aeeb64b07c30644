import { type Stats, statSync } from 'node:fs';
import { Command, Option } from 'commander';
import { Refused } from '../roster/errors.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ImportCounts, ImportRefusal, RosterWriter } from '../roster/roster.ts';
import { importLines } from './import-source.ts';
import { databaseOption, formatOf, formatOption, idOf, jsonOption, organizationOption } from './options.ts';
import { printJson } from './print.ts';
import { ProgressBar } from './progress-bar.ts';
import { RejectsFile } from './rejects-file.ts';
import { withWriter } from './store.ts';

/** Refused lines shown one by one; the rest are counted. */
const MOST_SHOWN = 20;

interface ImportFlags {
  readonly organization: string;
  readonly format?: string;
  readonly rejects?: string;
  readonly dryRun?: boolean;
  readonly database: string;
  readonly json?: boolean;
}

export function importCommand(): Command {
  return new Command('import')
    .description('adds API keys to an organization and updates known ones: all of the file, or nothing')
    .argument('<file>', 'JSON Lines or CSV, plain or gzip; - is standard input')
    .addOption(organizationOption().makeOptionMandatory())
    .addOption(formatOption("the file's format; guessed from its name, JSON Lines when that doesn't tell"))
    .option(
      '--rejects <file>',
      'import the good lines, and write the refused ones with their reasons to this new file',
    )
    .addOption(new Option('--dry-run', 'tell what would happen, and change nothing'))
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster import examples/api-keys.jsonl --organization org_example')
    .action(async (file: string, flags: ImportFlags) => {
      const organization = idOf<OrganizationId>('--organization', flags.organization);
      const counts = await withWriter(flags.database, roster =>
        importFile(roster, organization, file, flags),
      );
      if (flags.json) printJson(counts);
      else process.stdout.write(`${summary(counts, flags.dryRun === true)}\n`);
    });
}

/** Imports a file. Throws `Refused` when a line is refused and there is no rejects file to write it to. */
export async function importFile(
  roster: RosterWriter,
  organization: OrganizationId,
  file: string,
  { format, rejects: rejectsPath, dryRun = false }: Pick<ImportFlags, 'format' | 'rejects' | 'dryRun'> = {},
): Promise<ImportCounts> {
  const size = file === '-' ? undefined : sizeOf(file);
  const rejects = rejectsPath === undefined ? undefined : new RejectsFile(rejectsPath);
  const bar = new ProgressBar();
  const lines = importLines(file, formatOf(format, file), (bytes, records) =>
    bar.draw(size && bytes / size, 'reading', records),
  );
  let shown = 0;
  const refuse = (refusal: ImportRefusal) => {
    rejects?.add(refusal);
    if (shown++ >= MOST_SHOWN) return;
    bar.clear();
    process.stderr.write(refusalText(refusal));
  };
  const progress = (written: number, of: number) => bar.draw(written / of, 'writing', written);
  try {
    const options = { refuse, progress, dryRun, withoutRefused: rejects !== undefined };
    const counts = await roster.importApiKeys(organization, lines, options);
    if (counts.refused > 0 && !rejects) {
      const shownOnly = counts.refused > MOST_SHOWN ? ` (the first ${MOST_SHOWN} are shown)` : '';
      throw new Refused(`${counts.refused} line(s) refused${shownOnly}: nothing was imported`);
    }
    return counts;
  } catch (error) {
    rejects?.remove();
    throw error;
  } finally {
    bar.clear();
    rejects?.close();
  }
}

function sizeOf(file: string): number {
  let found: Stats;
  try {
    found = statSync(file);
  } catch (error) {
    throw new Refused(`import: can't read ${file}: ${(error as Error).message}`, { cause: error });
  }
  if (found.isDirectory()) throw new Refused(`import: ${file} is a folder: give a file`);
  return found.size;
}

function refusalText({ line, faults }: ImportRefusal): string {
  return faults
    .map(({ field, problem }) => `line ${line}: ${field === null ? '' : `${field}: `}${problem}\n`)
    .join('');
}

function summary({ inserted, updated, unchanged, refused }: ImportCounts, dryRun: boolean): string {
  const counts = `inserted ${inserted}, updated ${updated}, unchanged ${unchanged}, refused ${refused}`;
  return dryRun ? `dry run, nothing was changed: ${counts}` : counts;
}
