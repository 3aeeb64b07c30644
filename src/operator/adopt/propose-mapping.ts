import { writeFileSync } from 'node:fs';
import { readableTable } from '../../service/postgres/vendor-table/table-name.ts';
import { printLine, printTable } from '../../shared/command/terminal/print.ts';
import { Refused } from '../../shared/record/faults.ts';
import { warnedStoreAt } from '../options/database.ts';
import { NO_KEY_COLUMN } from './catalogue/key-columns.ts';
import { adoptionIn } from './open-adoption.ts';
import { type Choices, type MappingFile, mappingFile } from './proposal/mapping-file.ts';
import type { Proposal } from './proposal/propose.ts';
import type { Choice, ProposedSource } from './proposal/proposed-source.ts';

/** `adopt --table TABLE`: proposes a mapping of the table, and writes it to a file. */
export async function proposeMapping({
  table,
  file,
  database,
}: Record<'table' | 'file' | 'database', string>): Promise<void> {
  const adoption = await adoptionIn(await warnedStoreAt(database));
  const proposal = await adoption.propose(table);
  await show(proposal);
  write(file, fileText(mappingFile(proposal.catalogue, proposal.choices)));
  tellNext(file, proposal.choices);
}

async function show({ catalogue, choices, keyColumns }: Proposal): Promise<void> {
  printLine(`${readableTable(catalogue.table)}: ${catalogue.columns.length} columns`);
  const rows = Object.entries(choices).map(([name, { source, sure, why }]) => {
    return [name, sourceText(source), sure ? 'sure' : source.todo === undefined ? 'unsure' : 'to do', why];
  });
  await printTable(['FIELD', 'SOURCE', 'SURE', 'WHY'], [rows], row => row);
  for (const { name, why } of keyColumns)
    printLine(`${name}: has full keys or hashes of keys, by ${why}: it is never listed`);
  if (keyColumns.length === 0) printLine(NO_KEY_COLUMN);
  if (catalogue.columns.some(({ sample }) => sample === null))
    printLine('some columns may not be read by this role: what they are is told by their names only');
}

/** A line for each field, as a person edits it. */
function fileText({ table, fields, filters }: MappingFile): string {
  const line = (value: unknown) => JSON.stringify(value, null, 1).replace(/\n */g, ' ');
  const lines = Object.entries(fields).map(([name, source]) => `    ${line(name)}: ${line(source)}`);
  return `{\n  "table": ${line(table)},\n  "fields": {\n${lines.join(',\n')}\n  },\n  "filters": ${line(filters)}\n}\n`;
}

/** Never overwrites a file: a person may have edited it. It has no value of the table but the statuses. */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem =
      code === 'EEXIST' ? 'already exists: give another name, or remove it' : `can't be written (${code})`;
    throw new Refused(`--file: ${file} ${problem}`, { cause: error });
  }
}

function tellNext(file: string, choices: Choices): void {
  const namesOf = (which: (choice: Choice) => boolean) =>
    Object.entries(choices).flatMap(([name, choice]) => (which(choice) ? name : []));
  const open = namesOf(({ source }) => source.todo !== undefined);
  const unsure = namesOf(({ source, sure }) => !sure && source.todo === undefined);
  printLine(`wrote ${file}`);
  if (open.length > 0)
    printLine(`to do in the file, a source for each "todo", which says what to choose: ${open.join(', ')}`);
  if (unsure.length > 0)
    printLine(`to be looked at, and corrected in the file where it is wrong: ${unsure.join(', ')}`);
  printLine(`next: keyroster adopt --mapping ${file}`);
}

/** A source in a line. */
function sourceText(source: ProposedSource): string {
  if ('column' in source) {
    const values = Object.entries(source.values ?? {}).filter(([, list]) => list.length > 0);
    const meanings = values.map(([status, list]) => `${list.map(String).join(', ')} = ${status}`);
    return [source.column, ...(source.unit ? [`in ${source.unit}`] : []), ...meanings].join('; ');
  }
  if ('sql' in source) return `sql: ${source.sql}`;
  return 'constant' in source ? `= ${source.constant ?? 'null'}` : '-';
}
