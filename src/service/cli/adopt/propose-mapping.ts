import { existsSync, writeFileSync } from 'node:fs';
import { printErrorText, printLine, printTable } from '../../../shared/command/terminal/print.ts';
import { Prompt } from '../../../shared/command/terminal/prompt.ts';
import { Refused } from '../../../shared/record/faults.ts';
import type { Catalogue, Column } from '../../adoption/catalogue/catalogue.ts';
import type { ProposedField } from '../../adoption/proposal/by-name.ts';
import type { Choice, ProposedSource } from '../../adoption/proposal/choice.ts';
import {
  type Choices,
  choiceOf,
  type MappingFile,
  mappingFile,
  type Proposal,
  propose,
} from '../../adoption/proposal/propose.ts';
import { FIELDS } from '../../postgres/vendor-table/mapping.ts';
import { constantRule, type FieldRule } from '../../postgres/vendor-table/source.ts';
import { readableTable } from '../../postgres/vendor-table/table-name.ts';
import { warnedStoreAt } from '../options/database.ts';

/** `adopt --table TABLE`: proposes a mapping of the table, and writes it to a file. */
export async function proposeMapping({
  table,
  file,
  database,
}: Record<'table' | 'file' | 'database', string>): Promise<void> {
  if (existsSync(file)) throw alreadyExists(file); // before anything is asked
  const adoption = await (await warnedStoreAt(database)).adoption();
  const catalogue = await adoption.catalogue(table);
  const proposal = propose(catalogue);
  await show(catalogue, proposal);
  const asks = process.stdin.isTTY && process.stderr.isTTY;
  const choices = asks ? await askForChoices(proposal.choices, catalogue.columns) : proposal.choices;
  write(file, fileText(mappingFile(catalogue, choices)));
  tellNext(file, choices);
}

async function show(catalogue: Catalogue, { choices, keyColumns }: Proposal): Promise<void> {
  printLine(`${readableTable(catalogue.table)}: ${catalogue.columns.length} columns`);
  const rows = Object.entries(choices).map(([name, { source, sure, why }]) => {
    return [name, sourceText(source), sure ? 'sure' : source.todo === undefined ? 'unsure' : 'to do', why];
  });
  await printTable(['FIELD', 'SOURCE', 'SURE', 'WHY'], [rows], row => row);
  for (const { name, why } of keyColumns)
    printLine(`${name}: has full keys or hashes of keys, by ${why}: it is never listed`);
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
    if (code === 'EEXIST') throw alreadyExists(file);
    throw new Refused(`--file: ${file} can't be written (${code})`, { cause: error });
  }
}

function alreadyExists(file: string): Refused {
  return new Refused(`--file: ${file} already exists: give another name, or remove it`);
}

function tellNext(file: string, choices: Choices): void {
  const namesOf = (which: (choice: Choice) => boolean) =>
    Object.entries(choices).flatMap(([name, choice]) => (which(choice) ? name : []));
  const open = namesOf(({ source }) => source.todo !== undefined);
  const unsure = namesOf(({ source, sure }) => !sure && source.todo === undefined);
  printLine(`wrote ${file}`);
  if (open.length > 0) printLine(`to do in the file: ${open.join(', ')}`);
  if (unsure.length > 0) printLine(`to be looked at: ${unsure.join(', ')}`);
  printLine(`next: keyroster adopt --mapping ${file}`);
}

/** Asks on the terminal for each field that is unsure or undecided. Throws `Refused` where the answers end. */
async function askForChoices(choices: Choices, columns: readonly Column[]): Promise<Choices> {
  const unsure = (Object.entries(choices) as [ProposedField, Choice][]).filter(([, { sure }]) => !sure);
  if (unsure.length === 0) return choices;
  printErrorText(
    'For each field: Enter takes what is shown, and leaves - to be decided in the file; else a column, "sql: EXPRESSION" or "= CONSTANT"; ? names the columns.\n',
  );
  const prompt = new Prompt();
  try {
    const answered = { ...choices };
    for (const [name, choice] of unsure) answered[name] = await ask(prompt, name, choice, columns);
    return answered;
  } finally {
    prompt.close();
  }
}

async function ask(
  prompt: Prompt,
  name: ProposedField,
  proposed: Choice,
  columns: readonly Column[],
): Promise<Choice> {
  for (let told = proposed.why; ; ) {
    printErrorText(`${name}: ${told}\n`);
    const answer = await prompt.ask(`${name} [${sourceText(proposed.source)}]: `);
    if (answer === '') return { ...proposed, sure: proposed.source.todo === undefined };
    const choice = choiceByAnswer(name, answer, columns);
    if (typeof choice !== 'string') return choice;
    told = choice;
  }
}

/** What the answer says, or what is wrong with it. */
function choiceByAnswer(name: ProposedField, answer: string, columns: readonly Column[]): Choice | string {
  const [, sql] = /^sql:\s*(.+)$/i.exec(answer) ?? [];
  if (sql) return { source: { sql }, sure: true, why: 'as you said' };
  const [, constant] = /^=\s*(.*)$/.exec(answer) ?? [];
  if (constant !== undefined) {
    const rules: Partial<Record<ProposedField, FieldRule>> = FIELDS;
    const { parse, rule } = constantRule(rules[name] ?? FIELDS.created_at); // the two times vary as that does
    const parsed = parse(name === 'workspace_id' && constant === 'null' ? null : constant);
    return parsed === undefined ? rule : { source: { constant: parsed }, sure: true, why: 'as you said' };
  }
  const column = columns.find(each => each.name === answer);
  if (!column) {
    const allowed = columns.filter(each => choiceOf(name, each) !== null);
    return `give one of the columns ${allowed.map(each => each.name).join(', ')}`;
  }
  const choice = choiceOf(name, column);
  if (choice === null) return 'this column has full keys or hashes of keys: no field may come from it';
  const isSource = 'column' in choice.source || 'sql' in choice.source;
  return isSource ? choice : choice.why;
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
