import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** Styles text for standard output: only on a terminal, and never with NO_COLOR (no-color.org), whatever FORCE_COLOR is. */
export function coloured(style: Style, text: string): string {
  return process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;
}
