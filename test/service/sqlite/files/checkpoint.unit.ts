import assert from 'node:assert/strict';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isCheckpointOf, mayBeCheckpoint } from '../../../../src/service/sqlite/files/checkpoint.ts';
import type { WalIndex } from '../../../../src/service/sqlite/files/wal-index.ts';
import { WriteAheadLog } from '../../../../src/service/sqlite/files/write-ahead-log.ts';
import { temporaryFolder } from '../../../support/scope.ts';

const PAGE_BYTES = 4_096;

test('page numbers that SQLite is just writing anew, and so are 0, tell of no checkpoint', t => {
  const path = join(temporaryFolder(t), 'zeros');
  writeFileSync(path, Buffer.alloc(10 * PAGE_BYTES));
  const zeros = openSync(path, 'r');
  t.after(() => closeSync(zeros));
  const files = { main: zeros, log: new WriteAheadLog(zeros, PAGE_BYTES), shared: zeros };
  const index: WalIndex = {
    ...{ salt: '', checksum: [0, 0], pageBytes: PAGE_BYTES, pages: 10 },
    ...{ lastFrame: 5, backfilled: 2, attempted: 4 },
  };
  assert.equal(mayBeCheckpoint(files, index), false);
  assert.equal(isCheckpointOf(files, index), false);
});
