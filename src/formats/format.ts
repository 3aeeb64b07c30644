/** The forms that a roster goes in and out of: `jsonl` is JSON Lines. */
export const FORMATS = ['jsonl', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** By the file's name, whatever it is packed with; JSON Lines when the name doesn't tell. */
export function guessFormat(file: string): Format {
  return /\.csv(\.gz)?$/i.test(file) ? 'csv' : 'jsonl';
}
