/**
 * All that the command line writes, except the log lines of `serve` and the progress bar. Text that may come from a service, a file or an
 * argument goes through `shown`; only data for a program is written as it is, and only where no terminal reads it.
 */
import type { Writable } from 'node:stream';
import { clearProgress } from './progress-bar.ts';
import { shown, shownJson, shownLines, withoutUsedAdminKey } from './shown.ts';

/** A line on standard error. */
export function printError(line: string): void {
  standardError().write(`${shown(line)}\n`);
}

/** Where output goes, on a terminal in the place of a progress bar: beside one that goes into a file, the bar stays in sight. */
function output(): Writable {
  if (process.stdout.isTTY) clearProgress();
  return process.stdout;
}

function standardError(): Writable {
  clearProgress();
  return process.stderr;
}

const atEnd = new Set<string>();

/** A line on standard error, once, when the command has printed all its output: a warning above a long table would not be seen. */
export function printAtEnd(line: string): void {
  atEnd.add(line);
}

/** Nothing happened that these lines would be read for: a job's output is a mail. */
export function sayNothingAtEnd(): void {
  atEnd.clear();
}

/** For the end of a command, before its error. */
export function endOutput(): void {
  for (const line of atEnd) printError(line);
  atEnd.clear();
}

/** Lines on standard error that end as they are. */
export function printErrorText(text: string): void {
  standardError().write(shownLines(text));
}

/** Lines on standard output that end as they are. */
export function printText(text: string): void {
  output().write(shownLines(text));
}

/** A line on standard output. */
export function printLine(line: string): void {
  output().write(`${shown(line)}\n`);
}

/** JSON, CSV or HTML: exact for a file or a pipe but for the admin key, shown on a terminal. Waits while its reader is slower. */
export function printData(text: string): Promise<void> {
  return printFitted(process.stdout.isTTY ? shownLines(text) : withoutUsedAdminKey(text));
}

/** A row of CSV for `printData`: on a terminal a line break within a cell is shown too. */
export function csvRowToPrint(row: string): string {
  return process.stdout.isTTY ? `${shown(row.slice(0, -1))}\n` : row;
}

/** Tables whose cells are shown already, in colours (`fitted-table.ts`). Waits until its reader has them. */
export async function printFitted(text: string): Promise<void> {
  // After an error the process ends (`endWhenOutputFails`).
  written = new Promise(resolve => {
    output().write(text, error => {
      if (!error) resolve();
    });
  });
  await written;
}

let written = Promise.resolve();

/** Is kept once all that `printFitted` has printed is written. */
export function lastWrite(): Promise<void> {
  return written;
}

/** The one text that has to have an admin key: a new one, which is never shown again. */
export function printNewAdminKey(text: string): void {
  process.stdout.write(text);
}

/** Prints a line of JSON for each, and ends when they are written: whoever waits for them has to be there for what comes next. */
export async function printAnswers(answers: readonly object[]): Promise<void> {
  const lines = answers.map(answer => (process.stdout.isTTY ? shownJson(answer) : JSON.stringify(answer)));
  await printFitted(lines.map(line => `${line}\n`).join(''));
}

/** Prints one JSON object in a line, so that a program can read it by lines. */
export async function printJson(value: object): Promise<void> {
  await printData(jsonText(value));
}

/** Prints pages of items as one JSON array, indented. */
export async function printJsonArray<Item>(
  pages: AsyncIterable<readonly Item[]> | readonly (readonly Item[])[],
  record: (item: Item) => object,
): Promise<void> {
  let before = '[';
  for await (const page of pages) {
    if (page.length === 0) continue;
    const items = page.map(item => `\n${JSON.stringify(record(item), null, 2)}`.replaceAll('\n', '\n  '));
    await printData(before + items.join(','));
    before = ',';
  }
  await printData(before === '[' ? '[]\n' : '\n]\n');
}

export function jsonText(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/**
 * Prints pages of items, a row each: on a terminal as columns with headings; elsewhere as lines with tabs between the cells, for cut and awk.
 * The columns of a page are at least as wide as those before it: the table begins before all rows are known.
 */
export async function printTable<Item>(
  heading: readonly string[],
  pages: AsyncIterable<readonly Item[]> | readonly (readonly Item[])[],
  rowOf: (item: Item) => readonly string[],
): Promise<void> {
  const widths: number[] = [];
  let headings = process.stdout.isTTY ? [heading] : [];
  for await (const page of pages) {
    const lines = page.map(item => rowOf(item).map(shown));
    await printFitted(process.stdout.isTTY ? columns([...headings, ...lines], widths) : tabbed(lines));
    headings = [];
  }
  await printFitted(columns(headings));
}

export function tableText(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  return process.stdout.isTTY ? columns([heading, ...rows]) : tabbed(rows);
}

function tabbed(rows: readonly (readonly string[])[]): string {
  return rows.map(row => `${row.join('\t')}\n`).join('');
}

/** Widens the widths to those of the longest cells. */
function columns(lines: readonly (readonly string[])[], widths: number[] = []): string {
  for (const line of lines)
    for (const [column, cell] of line.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  const text = (line: readonly string[]) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map(line => `${text(line).trimEnd()}\n`).join('');
}
