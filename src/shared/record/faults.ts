/** What is wrong with a field of a record (`null`: with the record as a whole): the rule that it broke. */
export interface Fault {
  readonly field: string | null;
  readonly problem: string;
}

/** A fault of one argument of a write, or of one of several records. */
export interface RefusedFault extends Fault {
  /** The position in the list of records or IDs, from 0; `null` where the fault isn't in a list. */
  readonly index: number | null;
  /** The ID, where it is known to be one and not a secret in its place. */
  readonly id: string | null;
}

/** A write or an operator's command can't be carried out. The message says why, and what to do. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** The fields that are the reason; none where the store is, such as one that can't be reached. */
  readonly faults: readonly RefusedFault[];
  /** Whether the same may be done later: the store is locked, full or can't be reached. */
  readonly mayPass: boolean;

  constructor(
    message: string,
    {
      faults = [],
      mayPass = false,
      ...options
    }: ErrorOptions & { faults?: readonly RefusedFault[]; mayPass?: boolean } = {},
  ) {
    super(message, options);
    this.faults = faults;
    this.mayPass = mayPass;
  }
}

export interface Faulty {
  readonly faults: readonly Fault[];
}

/** A line of a file, counted from 1: what was parsed of it, or, if it is not valid, its faults and its text. */
export type Line<Parsed> = { readonly line: number } & (Parsed | (Faulty & { readonly source: string }));

export interface RefusedLine extends Faulty {
  readonly line: number;
}

/** Each fault as a text, such as an import prints. */
export function problemTexts(faults: readonly Fault[]): string[] {
  return faults.map(({ field, problem }) => (field === null ? problem : `${field}: ${problem}`));
}
