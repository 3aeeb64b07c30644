/** What may happen to the embedded store's file while it is served. */
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
  /** Does the damage. `share`, from 0 to 1, says where. */
  readonly harm: (file: string, share: number) => void;
  readonly mend: (file: string) => void;
  /** Of the answers meanwhile. */
  readonly status: 401 | 503;
}

const away = (file: string) => `${file}.away`;
/** Made before the first fault: what the file is put back from. */
export const goodCopyOf = (file: string) => `${file}.good`;
const moveAway = (file: string) => renameSync(file, away(file));
const moveBack = (file: string) => renameSync(away(file), file);
/** As a restore does: at once, under the name. */
const putBack = (file: string) => {
  copyFileSync(goodCopyOf(file), away(file));
  moveBack(file);
};
/** The slower way, which can be seen half done. */
const writeBack = (file: string) => copyFileSync(goodCopyOf(file), file);

/** The other file is a store with other organizations. */
export const storeFaults = (otherFile: string): Fault[] => [
  { what: 'moved away', harm: moveAway, mend: moveBack, status: 503 },
  { what: 'unreadable', harm: file => chmodSync(file, 0), mend: file => chmodSync(file, 0o600), status: 503 },
  {
    what: 'truncated, then put back',
    harm: (file, share) => truncateSync(file, Math.floor(statSync(file).size * share)),
    mend: putBack,
    status: 503,
  },
  {
    what: 'truncated, then written again',
    harm: (file, share) => truncateSync(file, Math.floor(statSync(file).size * share)),
    mend: writeBack,
    status: 503,
  },
  {
    what: 'with its first page overwritten',
    harm: file => overwrite(file, 0, 1),
    mend: writeBack,
    status: 503,
  },
  {
    what: 'overwritten but for its first page',
    harm: file => overwrite(file, 1, Infinity),
    mend: writeBack,
    status: 503,
  },
  {
    what: 'a folder',
    harm: file => {
      moveAway(file);
      mkdirSync(file);
    },
    mend: file => {
      rmdirSync(file);
      moveBack(file);
    },
    status: 503,
  },
  {
    what: 'another kind of file',
    harm: file => {
      moveAway(file);
      writeFileSync(file, 'no database '.repeat(10_000));
    },
    mend: moveBack,
    status: 503,
  },
  {
    what: "another store, with other organizations' keys",
    harm: file => {
      copyFileSync(otherFile, away(file));
      moveBack(file);
    },
    mend: putBack,
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
