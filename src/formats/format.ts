/** The formats of imports and exports; `jsonl` is JSON Lines. */
export const FORMATS = ['jsonl', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** The format that the file's name implies, with or without `.gz`; JSON Lines by default. */
export function guessFormat(file: string): Format {
  return /\.csv(\.gz)?$/i.test(file) ? 'csv' : 'jsonl';
}
