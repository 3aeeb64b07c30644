/**
 * Preloaded into a command by `killed-import.ts`. Writes a mark to a pipe when the command has begun a write transaction,
 * starts to commit, has committed, and has closed the store. The command continues only after the mark is written.
 */
import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const PIPE = 3;
const { exec, close } = DatabaseSync.prototype;
let writing = false;
let committed = false;

DatabaseSync.prototype.exec = function (sql) {
  const committing = writing && sql === 'COMMIT';
  if (committing) writeSync(PIPE, 'committing\n');
  exec.call(this, sql);
  if (committing) writeSync(PIPE, 'committed\n');
  committed ||= committing;
  if (sql === 'BEGIN IMMEDIATE') writeSync(PIPE, 'writing\n');
  writing = (writing || sql === 'BEGIN IMMEDIATE') && !committing;
};

DatabaseSync.prototype.close = function () {
  close.call(this);
  if (committed) writeSync(PIPE, 'closed\n'); // a connection that only reads is closed before
};
