import { Refused } from '../../shared/record/faults.ts';
import type { FilterName } from '../../shared/record/filters.ts';

/** The store can't be reached or read at the moment. The message is for the operator's log, not for the caller. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** The store has more reads waiting than it can serve in time. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy';
}

/** A page was asked for by a filter that a vendor's own table isn't made to be filtered by. */
export class FilterNotServed extends Error {
  override readonly name = 'FilterNotServed';
  readonly filters: readonly FilterName[];

  constructor(filters: readonly FilterName[]) {
    super(`no index for the filter ${filters.join(', ')}`);
    this.filters = filters;
  }
}

class RefusedForNow extends Refused {
  constructor(message: string, options: ErrorOptions) {
    super(message, { ...options, mayPass: true });
  }
}

/** The store can't be reached now, and may be in a moment. */
export class StoreAway extends RefusedForNow {}

/** Another process wrote to the store for longer than was to be waited. */
export class StoreLocked extends RefusedForNow {}
