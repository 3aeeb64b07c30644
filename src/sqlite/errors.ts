import { Refused, StoreUnavailable } from '../roster/errors.ts';

/**
 * SQLite's primary result codes (sqlite.org/rescode.html) that are about the file, its locks or its disk, not about our
 * statement, each with what an operator can do about it.
 */
const PROBLEMS: Readonly<Record<number, string>> = {
  5: 'locked by another process: try again when it is done',
  6: 'locked by another statement',
  8: 'it may not be written: check who owns the file and its folder',
  10: 'the disk failed to read or write',
  11: 'the file is damaged: restore a backup',
  13: 'the disk is full: free some space and run it again',
  14: 'it cannot be opened: check the path and who owns it',
  23: 'access was denied',
  26: 'the file is not a SQLite database',
};

/** SQLITE_IOERR_SHMSIZE: the file that the processes share could not grow. */
const NO_SPACE_FOR_SHARED_FILE = 4874;

/** What is wrong with the file, its locks or its disk; `undefined` for any other error. */
export function problemOf(error: unknown): string | undefined {
  const { errcode } = error as { errcode?: number };
  if (errcode === NO_SPACE_FOR_SHARED_FILE) return PROBLEMS[13];
  return errcode === undefined ? undefined : PROBLEMS[errcode & 0xff];
}

/** The error as the service knows it, which answers 503; `undefined` for one that isn't about the file. */
export function unavailable(error: unknown): StoreUnavailable | undefined {
  if (error instanceof Refused) return new StoreUnavailable(`SQLite: ${error.message}`, { cause: error });
  const problem = problemOf(error);
  return problem
    ? new StoreUnavailable(`SQLite: ${problem} (${(error as Error).message})`, { cause: error })
    : undefined;
}

/** Runs a read for the service. Throws `StoreUnavailable`. */
export async function orUnavailable<T>(read: () => T): Promise<T> {
  try {
    return read();
  } catch (error) {
    throw unavailable(error) ?? error;
  }
}

/** Runs one piece of an operator's work, all of which is a transaction: an error leaves nothing half done. Throws `Refused`. */
export async function orRefused<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = problemOf(error);
    throw problem ? new Refused(`database: ${problem}; nothing was changed`, { cause: error }) : error;
  }
}
