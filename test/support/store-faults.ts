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

/** All faults. The other file is a store with other organizations. */
export const storeFaults = (otherFile: string): Fault[] => [
  { what: 'moved away', damageFile: moveAway, repairFile: moveBack, status: 503 },
  {
    what: 'unreadable',
    damageFile: file => chmodSync(file, 0),
    repairFile: file => chmodSync(file, 0o600),
    status: 503,
  },
  {
    what: 'truncated, then restored atomically',
    damageFile: (file, share) => truncateSync(file, Math.floor(statSync(file).size * share)),
    repairFile: putBack,
    status: 503,
  },
  {
    what: 'truncated, then restored in place',
    damageFile: (file, share) => truncateSync(file, Math.floor(statSync(file).size * share)),
    repairFile: writeBack,
    status: 503,
  },
  {
    what: 'with its first page overwritten',
    damageFile: file => overwrite(file, 0, 1),
    repairFile: writeBack,
    status: 503,
  },
  {
    what: 'overwritten except for its first page',
    damageFile: file => overwrite(file, 1, Infinity),
    repairFile: writeBack,
    status: 503,
  },
  {
    what: 'a folder',
    damageFile: file => {
      moveAway(file);
      mkdirSync(file);
    },
    repairFile: file => {
      rmdirSync(file);
      moveBack(file);
    },
    status: 503,
  },
  {
    what: 'another kind of file',
    damageFile: file => {
      moveAway(file);
      writeFileSync(file, 'no database '.repeat(10_000));
    },
    repairFile: moveBack,
    status: 503,
  },
  {
    what: 'another store, with other organizations',
    damageFile: file => {
      copyFileSync(otherFile, away(file));
      moveBack(file);
    },
    repairFile: putBack,
    status: 401,
  },
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
