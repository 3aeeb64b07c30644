import type { Fault } from './errors.ts';

export interface Faulty {
  readonly faults: readonly Fault[];
}

/** A line of a file, counted from 1: what was parsed of it, or, if it is not valid, its faults and its text. */
export type Line<Parsed> = { readonly line: number } & (Parsed | (Faulty & { readonly source: string }));

export interface RefusedLine extends Faulty {
  readonly line: number;
}
