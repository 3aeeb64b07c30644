/**
 * All that the command line writes, except the log lines of `serve` and the progress bar. Text that may come from a service, a file or an
 * argument goes through `shown`; only data for a program is written as it is, and only where no terminal reads it.
 */
import { once } from 'node:events';
import { shown, shownJson, shownLines } from './shown.ts';

/** A line on standard error. */
export function printError(line: string): void {
  process.stderr.write(`${shown(line)}\n`);
}

/** Lines on standard error that end as they are. */
export function printErrorText(text: string): void {
  process.stderr.write(shownLines(text));
}

/** Lines on standard output that end as they are. */
export function printText(text: string): void {
  process.stdout.write(shownLines(text));
}

/** A line on standard output. */
export function printLine(line: string): void {
  process.stdout.write(`${shown(line)}\n`);
}

/** JSON, CSV or HTML: exact for a file or a pipe, shown on a terminal. Waits while its reader is slower. */
export function printData(text: string): Promise<void> {
  return printFitted(process.stdout.isTTY ? shownLines(text) : text);
}

/** A row of CSV for `printData`: on a terminal a line break within a cell is shown too. */
export function csvRowToPrint(row: string): string {
  return process.stdout.isTTY ? `${shown(row.slice(0, -1))}\n` : row;
}

/** Tables whose cells are shown already, in colours (`fitted-table.ts`). Waits while its reader is slower. */
export async function printFitted(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

/** The one text that has to have an admin key: a new one, which is never shown again. */
export function printNewAdminKey(text: string): void {
  process.stdout.write(text);
}

/** Prints a line of JSON for each, and ends when they are written: whoever waits for them has to be there for what comes next. */
export async function printAnswers(answers: readonly object[]): Promise<void> {
  const lines = answers.map(answer => (process.stdout.isTTY ? shownJson(answer) : JSON.stringify(answer)));
  // After an error the process ends (`endQuietlyWhenTheReaderLeaves`).
  await new Promise<void>(written => {
    process.stdout.write(lines.map(line => `${line}\n`).join(''), error => {
      if (!error) written();
    });
  });
}

/** Prints one JSON document, indented. */
export async function printJson(value: unknown): Promise<void> {
  await printData(jsonText(value));
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/**
 * Prints rows: on a terminal as columns with headings; elsewhere as lines with tabs between the cells, for cut and awk.
 */
export async function printTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const lines = rows.map(row => row.map(shown));
  await printFitted(tableText(heading, lines));
}

export function tableText(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  if (process.stdout.isTTY) return columns([heading, ...rows]);
  return rows.map(row => `${row.join('\t')}\n`).join('');
}

function columns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map(line => line[column]?.length ?? 0)),
  );
  const text = (line: readonly string[]) =>
    line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map(line => `${text(line).trimEnd()}\n`).join('');
}
