/**
 * Tells whether a change of the main file was a checkpoint of its write-ahead log: whether the main file has what the log says
 * it should have. Another file that was copied over it hasn't.
 */
import { fstatSync } from 'node:fs';
import { readPagesOfFrames, type WalIndex } from './wal-index.ts';
import { read, type WriteAheadLog } from './write-ahead-log.ts';

/** Pages to compare. A file with other content differs in its first one. */
const MAX_COMPARED = 256;
/** Frames to look through. */
const MAX_SKIPPED = 10_000;

interface Files {
  readonly main: number;
  readonly log: WriteAheadLog;
  readonly shared: number;
}

export function isCheckpointOf(files: Files, index: WalIndex): boolean {
  if (index.attempted === 0) return false;
  const isComplete = index.backfilled === index.lastFrame;
  if (isComplete && fstatSync(files.main).size !== index.pages * index.pageBytes) return false;
  const settled = settledFrames(files, index);
  const isSettled = [...settled].every(([page, frame]) => isInMain(files, index, page, frame));
  if (!isSettled) return false;
  return (settled.size > 0 && index.attempted <= index.backfilled) || hasBegun(files, index);
}

/** The latest frames that a checkpoint has written and that no later frame replaces, by their pages. */
function settledFrames(
  { shared }: Files,
  { backfilled, lastFrame, pages: all }: WalIndex,
): Map<number, number> {
  const frames = new Map<number, number>();
  const later = new Set(readPagesOfFrames(shared, backfilled + 1, lastFrame));
  const first = Math.max(1, backfilled - MAX_SKIPPED);
  const pages = readPagesOfFrames(shared, first, backfilled);
  for (let frame = backfilled; frame >= first && frames.size < MAX_COMPARED; frame--) {
    const page = pages[frame - first] ?? 0;
    if (page <= all && !later.has(page) && !frames.has(page)) frames.set(page, frame);
  }
  return frames;
}

/**
 * Whether a checkpoint has written its first page. It writes pages in the order of their numbers, and leaves out those that were
 * written to the log again before it began.
 */
function hasBegun(files: Files, index: WalIndex): boolean {
  const { backfilled, attempted, lastFrame } = index;
  const pages = readPagesOfFrames(files.shared, backfilled + 1, attempted);
  const later = new Set(readPagesOfFrames(files.shared, attempted + 1, lastFrame));
  const candidates = [lowestOf(pages), lowestOf(pages.filter(page => !later.has(page)))];
  return candidates.some(candidate =>
    pages.some((page, place) => page === candidate && isInMain(files, index, page, backfilled + 1 + place)),
  );
}

/**
 * The same when nothing is known of the time before, as after a crash: readers may have kept the checkpoint from writing some
 * pages, and SQLite has forgotten which. One page that was written is enough then.
 */
export function mayBeCheckpoint(files: Files, index: WalIndex): boolean {
  if (index.attempted === 0) return false;
  const pages = readPagesOfFrames(files.shared, 1, Math.min(index.attempted, MAX_SKIPPED));
  return pages.some((page, place) => isInMain(files, index, page, 1 + place));
}

function lowestOf(pages: Uint32Array): number {
  return pages.reduce((lowest, page) => Math.min(lowest, page), Number.POSITIVE_INFINITY);
}

/** A page of number 0 is one that SQLite is just entering: there is none. */
function isInMain({ main, log }: Files, { pageBytes }: WalIndex, page: number, frame: number): boolean {
  return page > 0 && log.image(frame).equals(read(main, (page - 1) * pageBytes, pageBytes));
}
