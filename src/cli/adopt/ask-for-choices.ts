import { createInterface } from 'node:readline/promises';
import type { Column } from '../../postgres/adoption/catalogue/catalogue.ts';
import {
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  type FieldRule,
} from '../../postgres/adoption/mapping/mapping.ts';
import type { Choice } from '../../postgres/adoption/proposal/choice.ts';
import { choiceOf } from '../../postgres/adoption/proposal/propose.ts';
import { Refused } from '../../roster/errors.ts';
import { printErrorText } from '../terminal/print.ts';
import { shown } from '../terminal/shown.ts';
import { sourceText } from './source-text.ts';

type Choices = Readonly<Record<FieldName, Choice>>;

/** Asks on the terminal for each field that is unsure or undecided. */
export async function askForChoices(choices: Choices, columns: readonly Column[]): Promise<Choices> {
  const unsure = FIELD_NAMES.filter(name => !choices[name].sure);
  if (unsure.length === 0) return choices;
  printErrorText(
    'For each field: Enter takes what is shown; else a column, "sql: EXPRESSION" or "= CONSTANT"; ? says more.\n',
  );
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  let open = true;
  lines.once('SIGINT', () => lines.close());
  lines.once('close', () => {
    open = false;
  });
  const answers = lines[Symbol.asyncIterator](); // keeps lines that were typed ahead
  const answerTo = async (question: string) => {
    lines.setPrompt(shown(question));
    if (open) lines.prompt();
    const { value, done } = await answers.next();
    if (done) throw new Refused('nothing was written: not every field was answered');
    return value.trim();
  };
  try {
    const answered = { ...choices };
    for (const name of unsure) answered[name] = await ask(answerTo, name, choices[name], columns);
    return answered;
  } finally {
    lines.close();
  }
}

async function ask(
  answerTo: (question: string) => Promise<string>,
  name: FieldName,
  proposed: Choice,
  columns: readonly Column[],
): Promise<Choice> {
  for (;;) {
    printErrorText(`${name}: ${asTyped(proposed.why)}\n`);
    const answer = await answerTo(`${name} [${sourceText(proposed.source)}]: `);
    if (answer === '') return { ...proposed, sure: proposed.source.todo === undefined };
    const choice =
      answer === '?' ? whatToType(name, proposed, columns) : choiceByAnswer(name, answer, columns);
    if (typeof choice !== 'string') return choice;
    printErrorText(`${name}: ${asTyped(choice)}\n`);
  }
}

/** A constant, which a `todo` shows as the file has it, as it is typed here. */
function asTyped(text: string): string {
  return text.replace(/\{"constant": "([^"]*)"\}/g, (_, constant: string) => `"= ${constant}"`);
}

function whatToType(name: FieldName, { source }: Choice, columns: readonly Column[]): string {
  const { constant, constantRule }: FieldRule = FIELDS[name];
  const allowed = columns.filter(column => choiceOf(name, column) !== null);
  return [
    source.todo === undefined ? 'Enter: takes what is shown' : 'Enter: leaves it to be decided in the file',
    `a column: ${allowed.map(column => column.name).join(', ')}`,
    'sql: EXPRESSION: SQL over the columns',
    ...(constant ? [`= CONSTANT: the same for each API key; ${constantRule}`] : []),
  ].join('\n  ');
}

/** What the answer says, or what is wrong with it. */
function choiceByAnswer(name: FieldName, answer: string, columns: readonly Column[]): Choice | string {
  const [, sql] = /^sql:\s*(.+)$/i.exec(answer) ?? [];
  if (sql) return { source: { sql }, sure: true, why: 'as you said' };
  const [, constant] = /^=\s*(.*)$/.exec(answer) ?? [];
  if (constant !== undefined) return choiceByConstant(name, constant);
  const column = columns.find(each => each.name === answer);
  if (!column) return 'the table has no such column';
  const choice = choiceOf(name, column);
  if (choice === null) return 'this column has full keys or hashes of keys: no field may come from it';
  const isSource = 'column' in choice.source || 'sql' in choice.source;
  return isSource ? choice : choice.why;
}

function choiceByConstant(name: FieldName, text: string): Choice | string {
  const { constant, constantRule }: FieldRule = FIELDS[name];
  const parsed = constant?.(name === 'workspace_id' && text === 'null' ? null : text);
  if (parsed === undefined) return constantRule ?? 'it is not the same for each API key';
  return { source: { constant: parsed }, sure: true, why: 'as you said' };
}
