import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** Styles text for standard output: only on a terminal, and never with NO_COLOR (no-color.org), whatever FORCE_COLOR is. */
export function coloured(style: Style, text: string): string {
  const isColoured = process.stdout.isTTY && !process.env.NO_COLOR && !isDumb();
  return isColoured ? styleText(style, text) : text;
}

/** Whether the terminal knows no escape sequences, as that of an editor: no colour and no progress bar. Windows has no TERM. */
export function isDumb(): boolean {
  const { TERM = '' } = process.env;
  return process.platform !== 'win32' && (TERM === '' || TERM === 'dumb');
}

/** Whether the terminal shows more than ASCII, by its locale (POSIX, 8.2): without any it is that of C. Windows has no such variables. */
export function showsUnicode(): boolean {
  const { LC_ALL, LC_CTYPE, LANG } = process.env;
  return process.platform === 'win32' || /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '');
}
