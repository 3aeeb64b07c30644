import { existsSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { Refused } from '../../shared/record/faults.ts';
import { StoreLocked, StoreUnavailable } from '../roster/errors.ts';

/** SQLITE_BUSY. */
const LOCKED = 5;

/**
 * The primary result codes of SQLite (sqlite.org/rescode.html) that are about the file, its locks or its disk and not about
 * our statement. Each message says what an operator can do.
 */
const PROBLEMS: Readonly<Record<number, string>> = {
  [LOCKED]: 'locked by another process: try again when it is done',
  6: 'locked by another statement',
  8: 'it cannot be written: check who owns the file and its folder',
  10: "the disk failed to read or write: look at the system's log, and at the limit of a file's size (ulimit -f)",
  11: 'the file is damaged: restore a backup',
  13: 'the disk is full: free some space and run it again',
  14: 'it cannot be opened: check the path and who owns it',
  23: 'access was denied',
  26: 'the file is not a SQLite database',
};

/** Of them, those of a disk that fails or is full. */
const OF_DISK: readonly number[] = [10, 13];
/** Those that end without a change of the store: a lock as well. */
const MAY_PASS: readonly number[] = [6, ...OF_DISK];

/** SQLITE_IOERR_SHMSIZE: the shared-memory file (`-shm`) could not grow. */
const NO_SPACE_FOR_SHARED_FILE = 4874;

/** Our statements name nothing else, so the file isn't as it was when it was opened: a tool of SQLite's wrote another one over it. */
const NO_SUCH_PART = /^no such (?:table|index|column): /;

/** The primary result code; 0 for an error that isn't SQLite's. */
function codeOf(error: unknown): number {
  return ((error as { errcode?: number }).errcode ?? 0) & 0xff;
}

/** What is wrong with the file, its locks or its disk; `undefined` for any other error. */
export function problemOf(error: unknown): string | undefined {
  const { errcode, message = '' } = error as { errcode?: number; message?: string };
  if (errcode === NO_SPACE_FOR_SHARED_FILE) return PROBLEMS[13];
  if (errcode === 1 && NO_SUCH_PART.test(message)) return 'it has no tables of Keyroster: restore it';
  return PROBLEMS[codeOf(error)];
}

/** The same where the file is known, or Node's own message. SQLite doesn't tell a disk that has no inodes left. */
export function problemAt(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const cannotMake = code === 'ENOSPC' || codeOf(error) === 14;
  const { files, ffree } = existsSync(dirname(file)) ? statfsSync(dirname(file)) : { files: 0, ffree: 0 };
  if (cannotMake && files > 0 && ffree === 0) return 'the disk has no inodes left (df -i): delete some files';
  return problemOf(error) ?? message;
}

/** Whether a disk failed or was full, so that SQLite may have written a part of a transaction. */
export function isOfDisk(error: unknown): boolean {
  return OF_DISK.includes(codeOf(error));
}

/** Whether another process has a lock on the file, by SQLite's error or one that it is the cause of. */
export function isLocked(error: unknown): boolean {
  const { cause = null } = error as { cause?: unknown };
  return codeOf(error) === LOCKED || (cause !== null && codeOf(cause) === LOCKED);
}

/** The error as a `StoreUnavailable`, which the service answers with 503; `undefined` when it isn't about the file. */
export function storeUnavailable(error: unknown): StoreUnavailable | undefined {
  const { message } = error as Error;
  const problem = error instanceof Refused ? message : problemOf(error) && `${problemOf(error)} (${message})`;
  return problem === undefined ? undefined : new StoreUnavailable(`SQLite: ${problem}`, { cause: error });
}

/** Runs a read. Throws `StoreUnavailable` for an error of the file. */
export async function orUnavailable<T>(read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw storeUnavailable(error) ?? error;
  }
}

/**
 * Runs work that is one transaction. Throws `Refused` for an error of the file, after which nothing is changed; `outcome` says so, or
 * what was changed before. An operator lets each lock be waited for so long by `--wait`; `undefined`: there is no such option.
 */
export async function orRefused<T>(
  waitMs: number | undefined,
  work: () => T | Promise<T>,
  outcome?: string,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refused(waitMs, error, outcome) ?? error;
  }
}

/** The error as a `Refused`; `undefined` when it isn't about the file. */
export function refused(
  waitMs: number | undefined,
  error: unknown,
  outcome = 'nothing was changed',
): Refused | undefined {
  const end = `${isLocked(error) && waitMs !== undefined ? ', or wait longer with --wait' : ''}; ${outcome}`;
  if (isLocked(error)) return new StoreLocked(`database: ${PROBLEMS[LOCKED]}${end}`, { cause: error });
  const problem = problemOf(error);
  const mayPass = MAY_PASS.includes(codeOf(error));
  return problem ? new Refused(`database: ${problem}${end}`, { cause: error, mayPass }) : undefined;
}
