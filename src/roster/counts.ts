/** How many were changed by a write, and how many were so already. */

/** The number of lines with each outcome. */
export interface ImportCounts {
  readonly inserted: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** The same of the keys of a put. */
export type PutCounts = Omit<ImportCounts, 'refused'>;

export interface StatusCounts {
  readonly changed: number;
  readonly unchanged: number;
}
