import { styleText } from 'node:util';

export type Style = Parameters<typeof styleText>[0];

/** Text for standard output, in a style on a terminal only, and never with NO_COLOR (no-color.org), FORCE_COLOR or not. */
export function coloured(style: Style, text: string): string {
  return process.stdout.isTTY && !process.env.NO_COLOR ? styleText(style, text) : text;
}
