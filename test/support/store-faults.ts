/** Faults of the embedded store's file while it is served. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';

const PAGE_BYTES = 4096;

interface Fault {
  readonly what: string;
  /** `share`, from 0 to 1, says where. */
  readonly damageFile: (file: string, share: number) => void;
  readonly repairFile: (file: string) => void;
  /** Status of the answers until the repair. */
  readonly status: 401 | 503;
}

const away = (file: string) => `${file}.away`;
/** A copy made before the first fault, to restore the file from. */
export const goodCopyOf = (file: string) => `${file}.good`;
const moveAway = (file: string) => renameSync(file, away(file));
const moveBack = (file: string) => renameSync(away(file), file);
/** Restores the file atomically. */
const putBack = (file: string) => {
  copyFileSync(goodCopyOf(file), away(file));
  moveBack(file);
};
/** Restores the file in place, so that readers may see it half written. */
const writeBack = (file: string) => copyFileSync(goodCopyOf(file), file);

const truncate = (file: string, share: number) => truncateSync(file, Math.floor(statSync(file).size * share));
const fault = (
  what: string,
  damageFile: Fault['damageFile'],
  repairFile: Fault['repairFile'],
  status: Fault['status'] = 503,
): Fault => ({ what, damageFile, repairFile, status });
const inItsPlace = (make: (file: string) => void) => (file: string) => {
  moveAway(file);
  make(file);
};
const putOther = (otherFile: string) => (file: string) => {
  copyFileSync(otherFile, away(file));
  moveBack(file);
};
const removeFolder = (file: string) => {
  rmdirSync(file);
  moveBack(file);
};

/** All faults. The other file is a store with other organizations. */
export const storeFaults = (otherFile: string): Fault[] => [
  fault('moved away', moveAway, moveBack),
  fault(
    'unreadable',
    file => chmodSync(file, 0),
    file => chmodSync(file, 0o600),
  ),
  fault('truncated, then restored atomically', truncate, putBack),
  fault('truncated, then restored in place', truncate, writeBack),
  fault('with its first page overwritten', file => overwrite(file, 0, 1), writeBack),
  fault('overwritten except for its first page', file => overwrite(file, 1, Infinity), writeBack),
  fault('a folder', inItsPlace(mkdirSync), removeFolder),
  fault(
    'another kind of file',
    inItsPlace(file => writeFileSync(file, 'no database '.repeat(10_000))),
    moveBack,
  ),
  fault('another store, with other organizations', putOther(otherFile), putBack, 401),
];

function overwrite(file: string, firstPage: number, pages: number): void {
  const left = statSync(file).size - firstPage * PAGE_BYTES;
  const descriptor = openSync(file, 'r+');
  writeSync(
    descriptor,
    Buffer.alloc(Math.min(left, pages * PAGE_BYTES), 0xa7),
    0,
    undefined,
    firstPage * PAGE_BYTES,
  );
  closeSync(descriptor);
}
