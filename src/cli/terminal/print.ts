import { once } from 'node:events';

/** Prints one JSON document, indented. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Prints rows: on a terminal as columns with headings; elsewhere as lines with tabs between the cells, for cut and awk.
 */
export function printTable(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = rows.map(row => row.map(printable));
  if (process.stdout.isTTY) process.stdout.write(columns([[...heading], ...lines]));
  else process.stdout.write(lines.map(line => `${line.join('\t')}\n`).join(''));
}

function columns(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map(line => line[column]?.length ?? 0)),
  );
  const text = (line: string[]) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map(line => `${text(line).trimEnd()}\n`).join('');
}

/** Escapes control characters. A name may hold any, and they could move the cursor, or break or reverse the row. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, character => {
    const short = JSON.stringify(character).slice(1, -1);
    return short === character ? escaped(character) : short;
  });
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Writes to standard output, and waits while its reader is slower. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
