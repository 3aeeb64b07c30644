/** What is wrong with one field of a record: its name (`null`: the record as a whole) and the rule it broke. */
export interface Fault {
  readonly field: string | null;
  readonly problem: string;
}

/** The store can't be reached or read just now. The message is for the operator's log, not for a caller. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** More is asked of the store at once than it can read in time. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
}

/** An operator's request that can't be carried out as it stands. The message says why and what to do. */
export class Refused extends Error {
  override readonly name = 'Refused';
}
