import { fstatSync } from 'node:fs';
import { Refused } from '../../../shared/record/faults.ts';
import { isCheckpointOf, mayBeCheckpoint } from './checkpoint.ts';
import { openDescriptor, releaseDescriptors } from './descriptors.ts';
import { realPathOf } from './file-state.ts';
import { readWalIndex, type WalIndex } from './wal-index.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

/** What was known when the files were last found to belong together. */
export interface Verified {
  /** Changes when the main file's content changes. */
  readonly main: string;
  readonly log: string;
  /** `null`: the log had nothing that readers use. */
  readonly index: WalIndex | null;
  /** Whether all connections may have been closed since: SQLite then makes the shared-memory file anew, of whatever log it finds. */
  readonly reopened?: boolean;
}

/** Other content, or a checkpoint, is being written into the file: look at it again in some milliseconds. */
export class BeingWritten extends Refused {
  constructor() {
    super('other content is being written into the file');
  }
}

/** The main file's content isn't what the log was written for, as far as times and pages tell. */
export class ForeignContent extends Refused {
  constructor() {
    super(`other content was written into the file beside the -wal file of the previous content: ${MEND}`);
  }
}

/** The log isn't the one that the shared-memory file describes. */
export class ForeignLog extends Refused {
  /** What it describes. */
  readonly index: WalIndex;

  constructor(index: WalIndex) {
    super(`the -wal file isn't the one that was written for this file: ${MEND}`);
    this.index = index;
  }
}

const MEND =
  'stop all processes that use it and put the file back that the log was written for; or, if the log is not needed, put the new file in its place and delete -wal and -shm';

/** A process may commit, or restart the log, between two reads of these files. */
const MAX_ATTEMPTS = 10;

/**
 * The main file of a store that SQLite has open, its write-ahead log and their shared-memory file. SQLite doesn't notice when
 * someone writes other content into one of them: it would apply the log to a file that it isn't the log of.
 */
export class StoreFiles {
  readonly #main: number | null;
  readonly #log: number | null;
  readonly #shared: number | null;

  /** Throws `Refused`. */
  constructor(path: string) {
    const realPath = realPathOf(path);
    this.#main = openDescriptor(realPath);
    this.#log = openDescriptor(`${realPath}-wal`);
    this.#shared = openDescriptor(`${realPath}-shm`);
  }

  /** Whether neither the main file nor the log was written since. Takes two system calls. */
  areUnchanged({ main, log }: Verified): boolean {
    return contentMark(this.#main) === main && contentMark(this.#log) === log;
  }

  /** Throws `Refused` when no commit and no checkpoint explains what changed; `before` is `null` at the first check. */
  verify(before: Verified | null): Verified {
    for (let attempt = 1; ; attempt++) {
      const index = this.#index(); // before the others: a checkpoint announces itself there first
      const main = contentMark(this.#main);
      const log = contentMark(this.#log);
      const problem = index && this.#problem(index, before, main);
      if (!problem) return { main, log, index };
      if (attempt === MAX_ATTEMPTS || JSON.stringify(index) === JSON.stringify(this.#index())) throw problem;
    }
  }

  close(): void {
    releaseDescriptors([this.#main, this.#log, this.#shared]);
  }

  /** `null` when readers use nothing of the log. */
  #index(): WalIndex | null {
    const index = this.#shared === null ? null : readWalIndex(this.#shared);
    if (index) return index.lastFrame > 0 ? index : null;
    if (this.#log === null || fstatSync(this.#log).size === 0) return null;
    // SQLite had made it when it opened the store. Someone has deleted it since.
    throw new Refused('the -shm file was deleted while the store was opened');
  }

  #problem(index: WalIndex, before: Verified | null, mainNow: string): Refused | null {
    if (this.#main === null || this.#log === null || this.#shared === null) return new ForeignLog(index);
    const log = new WriteAheadLog(this.#log, index.pageBytes);
    if (!isLogOf(log, index)) return new ForeignLog(index);
    if (before?.index && !continues(log, index, before)) return new ForeignLog(before.index);
    if (before?.main === mainNow) return null;
    if (before && hasNoCheckpointSince(before, index)) return new ForeignContent();
    if (isOlder(this.#main, this.#log)) return null;
    const files = { main: this.#main, log, shared: this.#shared };
    const isCheckpoint = before === null ? mayBeCheckpoint(files, index) : isCheckpointOf(files, index);
    return isCheckpoint ? null : new ForeignContent();
  }
}

function contentMark(descriptor: number | null): string {
  if (descriptor === null) return '';
  const { size, mtimeMs } = fstatSync(descriptor);
  return `${size}:${mtimeMs}`;
}

/**
 * Whether the main file was last changed before the log was. What changed it was then a checkpoint of an earlier round of the
 * log, since whoever wrote to the log had found that file. The time of a change also tells of a new name or mode, but it can't
 * be set, unlike that of the content.
 */
function isOlder(main: number, log: number): boolean {
  return fstatSync(main).ctimeMs <= fstatSync(log).mtimeMs;
}

/** Whether the log is the one that the shared-memory file describes. A checksum covers all frames before it. */
function isLogOf(log: WriteAheadLog, { salt, lastFrame, checksum }: WalIndex): boolean {
  return log.salt() === salt && hasFrame(log, lastFrame, checksum);
}

/** Whether the same round of the log had no checkpoint since, so that only other content can have changed the main file. */
function hasNoCheckpointSince({ index: before, reopened }: Verified, now: WalIndex): boolean {
  // SQLite may write to the file once more, and change nothing, after a checkpoint.
  if (before?.salt !== now.salt || before.attempted > 0) return false;
  return now.attempted === 0 || (reopened === true && isMadeAnew(now));
}

/** Whether the log has all that it had before, or was restarted since by a writer. */
function continues(log: WriteAheadLog, now: WalIndex, { index, reopened }: Verified): boolean {
  if (index === null) return true;
  if (now.salt !== index.salt) return !(reopened && isMadeAnew(now));
  return now.lastFrame >= index.lastFrame && hasFrame(log, index.lastFrame, index.checksum);
}

/** Whether SQLite may have made the shared-memory file anew, of whatever log it found: it then has these numbers. */
function isMadeAnew({ backfilled, attempted, lastFrame }: WalIndex): boolean {
  return backfilled === 0 && attempted === lastFrame;
}

function hasFrame(log: WriteAheadLog, frame: number, [first, second]: WalIndex['checksum']): boolean {
  const found = log.checksum(frame);
  return found[0] === first && found[1] === second;
}
