import { Refused, StoreUnavailable } from '../roster/errors.ts';

/**
 * SQLite's primary result codes (sqlite.org/rescode.html) that speak of the file, its locks or its disk, not of our
 * statement, each with what an operator can do about it.
 */
const FAULTS: Readonly<Record<number, string>> = {
  5: 'locked by another process: try again when it is done',
  6: 'locked by another statement',
  8: 'it may not be written: check who owns the file and its folder',
  10: 'the disk failed to read or write',
  11: 'the file is damaged: restore a backup',
  13: 'the disk is full: make room and run it again',
  14: 'it can not be opened: check the path and who owns it',
  23: 'access was denied',
  26: 'the file is not a SQLite database',
};

/** SQLITE_IOERR_SHMSIZE: the file that the processes share could not be made as large as it has to be. */
const NO_ROOM_FOR_SHARED_FILE = 4874;

/** Runs a read for the service, which answers 503 to what may pass. */
export async function reading<T>(read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    throw unavailable(error) ?? error;
  }
}

/** A fault of the store's file as the service knows it; `undefined` for any other error. */
export function unavailable(error: unknown): StoreUnavailable | undefined {
  if (error instanceof Refused) return new StoreUnavailable(`SQLite: ${error.message}`, { cause: error });
  const fault = faultOf(error);
  return fault
    ? new StoreUnavailable(`SQLite: ${fault} (${(error as Error).message})`, { cause: error })
    : undefined;
}

/** Runs an operator's piece of work, all of which is a transaction: a fault leaves nothing half done. */
export async function writing<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = faultOf(error);
    throw fault ? new Refused(`database: ${fault}; nothing was changed`, { cause: error }) : error;
  }
}

export function faultOf(error: unknown): string | undefined {
  const { errcode } = error as { errcode?: number };
  if (errcode === NO_ROOM_FOR_SHARED_FILE) return FAULTS[13];
  return errcode === undefined ? undefined : FAULTS[errcode & 0xff];
}
