/** What is wrong with a field of a record (`null`: with the record as a whole): the rule that it broke. */
export interface Fault {
  readonly field: string | null;
  readonly problem: string;
}

/** The store can't be reached or read at the moment. The message is for the operator's log, not for the caller. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The store has more reads waiting than it can serve in time. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
}

/** An operator's command can't be carried out. The message says why, and what to do. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
