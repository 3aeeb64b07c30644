/**
 * Preloaded into a command by `killed-import.ts`: tells, on a pipe, when it has begun a write transaction, when it
 * starts to commit, when that is done, and when it has closed the store. The mark is in the pipe before the command goes on.
 */
import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const PIPE = 3;
const { exec, close } = DatabaseSync.prototype;
let writing = false;

DatabaseSync.prototype.exec = function (sql) {
  const committing = writing && sql === 'COMMIT';
  if (committing) writeSync(PIPE, 'committing\n');
  exec.call(this, sql);
  if (committing) writeSync(PIPE, 'committed\n');
  if (sql === 'BEGIN IMMEDIATE') writeSync(PIPE, 'writing\n');
  writing = (writing || sql === 'BEGIN IMMEDIATE') && !committing;
};

DatabaseSync.prototype.close = function () {
  close.call(this);
  writeSync(PIPE, 'closed\n');
};
