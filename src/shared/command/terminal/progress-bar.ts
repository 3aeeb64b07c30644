import { fstatSync } from 'node:fs';
import { isDumb } from './capabilities.ts';
import { shown } from './shown.ts';

/** So narrow that the line fits 80 columns up to ten million records. */
const WIDTH = 16;
/** For a terminal that doesn't tell its width. */
const DEFAULT_WIDTH = 80;
/** Min time between two updates. */
const INTERVAL_MS = 100;

/** How much is done, from 0 to 1; `undefined` where that isn't known. */
type Share = number | undefined;

/**
 * A bar on standard error, when that is a terminal; elsewhere nothing is drawn. Nor is it where standard output is a pipe: what
 * reads that may have the screen, such as `less`.
 */
export class ProgressBar {
  readonly isVisible: boolean;
  /** The work under way, and when it began. */
  #what = '';
  #start = performance.now();
  #drawn = 0;

  constructor(isVisible = process.stderr.isTTY && !isDumb() && !isPipe(process.stdout.fd)) {
    this.isVisible = isVisible;
  }

  /**
   * @param what the work, such as `reading`.
   * @param count how much is done, in this unit.
   */
  draw(share: Share, what: string, count: number, unit = 'records'): void {
    const now = performance.now();
    if (what !== this.#what) this.#start = now;
    this.#what = what;
    if (!this.isVisible || now - this.#drawn < INTERVAL_MS) return;
    this.#drawn = now;
    this.note(barText(share, what, count, (now - this.#start) / 1000, unit));
  }

  /** Another text in its place. As much of it as fits in the line: a longer one couldn't be redrawn in place. */
  note(text: string): void {
    if (!this.isVisible) return;
    const width = process.stderr.columns || DEFAULT_WIDTH;
    isDrawn = true;
    process.stderr.write(`\r\x1b[K${shown(text).slice(0, width - 1)}`);
  }

  clear(): void {
    clearProgress();
  }
}

let isDrawn = false;

/** Makes room for what is printed next. */
export function clearProgress(): void {
  if (isDrawn) process.stderr.write('\r\x1b[K');
  isDrawn = false;
}

function isPipe(descriptor: number): boolean {
  const file = fstatSync(descriptor);
  return file.isFIFO() || file.isSocket();
}

export function barText(share: Share, what: string, count: number, seconds: number, unit = 'records') {
  const rate = seconds > 0 ? `, ${Math.round(count / seconds).toLocaleString('en')}/s` : '';
  const counts = `${count.toLocaleString('en')} ${unit}${rate}`;
  if (share === undefined) return `${what}: ${counts}`;
  const done = Math.min(share, 1); // a file may grow while it is read
  const filled = Math.round(done * WIDTH);
  const bar = '#'.repeat(filled) + '.'.repeat(WIDTH - filled);
  const left = done > 0 ? `, ${Math.ceil((seconds * (1 - done)) / done)} s left` : '';
  return `${what} [${bar}] ${Math.floor(done * 100)} %: ${counts}${left}`;
}
