import type { Column } from '../../postgres/adoption/catalogue/catalogue.ts';
import {
  constantRule,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
} from '../../postgres/adoption/mapping/mapping.ts';

import type { Choice, ProposedSource } from '../../postgres/adoption/proposal/choice.ts';
import { choiceOf } from '../../postgres/adoption/proposal/propose.ts';
import { printErrorText } from '../terminal/print.ts';
import { Prompt } from '../terminal/prompt.ts';

type Choices = Readonly<Record<FieldName, Choice>>;

/** Asks on the terminal for each field that is unsure or undecided. Throws `Refused` where the answers end. */
export async function askForChoices(choices: Choices, columns: readonly Column[]): Promise<Choices> {
  const unsure = FIELD_NAMES.filter(name => !choices[name].sure);
  if (unsure.length === 0) return choices;
  printErrorText(
    'For each field: Enter takes what is shown, and leaves - to be decided in the file; else a column, "sql: EXPRESSION" or "= CONSTANT"; ? names the columns.\n',
  );
  const prompt = new Prompt();
  try {
    const answered = { ...choices };
    for (const name of unsure) answered[name] = await ask(prompt, name, choices[name], columns);
    return answered;
  } finally {
    prompt.close();
  }
}

async function ask(
  prompt: Prompt,
  name: FieldName,
  proposed: Choice,
  columns: readonly Column[],
): Promise<Choice> {
  for (let told = proposed.why; ; ) {
    printErrorText(`${name}: ${asTyped(told)}\n`);
    const answer = await prompt.ask(`${name} [${sourceText(proposed.source)}]: `);
    if (answer === '') return { ...proposed, sure: proposed.source.todo === undefined };
    const choice = choiceByAnswer(name, answer, columns);
    if (typeof choice !== 'string') return choice;
    told = choice;
  }
}

/** A constant, which a `todo` shows as the file has it, as it is typed here. */
function asTyped(text: string): string {
  return text.replace(/\{"constant": "([^"]*)"\}/g, (_, constant: string) => `"= ${constant}"`);
}

/** What the answer says, or what is wrong with it. */
function choiceByAnswer(name: FieldName, answer: string, columns: readonly Column[]): Choice | string {
  const [, sql] = /^sql:\s*(.+)$/i.exec(answer) ?? [];
  if (sql) return { source: { sql }, sure: true, why: 'as you said' };
  const [, constant] = /^=\s*(.*)$/.exec(answer) ?? [];
  if (constant !== undefined) return choiceByConstant(name, constant);
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

function choiceByConstant(name: FieldName, text: string): Choice | string {
  const { parse, rule } = constantRule(FIELDS[name]);
  const constant = parse(name === 'workspace_id' && text === 'null' ? null : text);
  return constant === undefined ? rule : { source: { constant }, sure: true, why: 'as you said' };
}

/** A source in a line. */
export function sourceText(source: ProposedSource): string {
  if ('column' in source) {
    const values = Object.entries(source.values ?? {}).filter(([, list]) => list.length > 0);
    const meanings = values.map(([status, list]) => `${list.map(String).join(', ')} = ${status}`);
    return [source.column, ...(source.unit ? [`in ${source.unit}`] : []), ...meanings].join('; ');
  }
  if ('sql' in source) return `sql: ${source.sql}`;
  return 'constant' in source ? `= ${source.constant ?? 'null'}` : '-';
}
