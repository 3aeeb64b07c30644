import { createReadStream } from 'node:fs';
import { Command } from 'commander';
import { Refused } from '../roster/errors.ts';
import type { OrganizationId } from '../roster/identifier.ts';
import type { ImportCounts, ImportRefusal, RosterWriter } from '../roster/roster.ts';
import { databaseOption, idOf, jsonOption, organizationOption } from './options.ts';
import { printJson } from './print.ts';
import { readJsonLines } from './read-json-lines.ts';
import { withWriter } from './store.ts';

/** Refused lines shown one by one; the rest are counted. */
const MOST_SHOWN = 20;

export function importCommand(): Command {
  return new Command('import')
    .description('adds API keys to an organization and updates known ones: all of the file, or nothing')
    .argument('<file>', 'JSON Lines, an API key record a line; - is standard input')
    .addOption(organizationOption().makeOptionMandatory())
    .addOption(databaseOption())
    .addOption(jsonOption())
    .addHelpText('after', '\nExample: keyroster import examples/api-keys.jsonl --organization org_example')
    .action(async (file: string, options: { organization: string; database: string; json?: boolean }) => {
      const organization = idOf<OrganizationId>('--organization', options.organization);
      const counts = await withWriter(options.database, roster => importFile(roster, organization, file));
      if (options.json) printJson(counts);
      else process.stdout.write(`${summary(counts)}\n`);
    });
}

/** Imports a file, or throws `Refused` when there is any line to refuse, after telling which on standard error. */
export async function importFile(
  roster: RosterWriter,
  organization: OrganizationId,
  file: string,
): Promise<ImportCounts> {
  let shown = 0;
  const refuse = (refusal: ImportRefusal) => {
    if (shown++ < MOST_SHOWN) process.stderr.write(refusalText(refusal));
  };
  try {
    const counts = await roster.importApiKeys(organization, readJsonLines(chunksOf(file)), refuse);
    if (counts.refused === 0) return counts;
    const more = counts.refused > MOST_SHOWN ? ` (the first ${MOST_SHOWN} are shown)` : '';
    throw new Refused(`${counts.refused} line(s) refused${more}: nothing was imported`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall) {
      throw new Refused(`import: can't read ${file}: ${(error as Error).message}`, { cause: error });
    }
    throw error;
  }
}

/** Opened when it is read: an error before that would have nobody to catch it. */
async function* chunksOf(file: string): AsyncGenerator<Buffer> {
  yield* file === '-' ? process.stdin : createReadStream(file);
}

function refusalText({ line, faults }: ImportRefusal): string {
  return faults
    .map(({ field, problem }) => `line ${line}: ${field === null ? '' : `${field}: `}${problem}\n`)
    .join('');
}

function summary({ inserted, updated, unchanged, refused }: ImportCounts): string {
  return `inserted ${inserted}, updated ${updated}, unchanged ${unchanged}, refused ${refused}`;
}
