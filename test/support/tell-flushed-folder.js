/** Preloaded into a process (`--import`): says on its standard output and error what is in the folder when that is flushed. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';

const folder = String(process.env.TOLD_FOLDER);
const { fsyncSync } = fs;
fs.fsyncSync = descriptor => {
  fsyncSync(descriptor);
  if (fs.fstatSync(descriptor).ino !== fs.statSync(folder).ino) return;
  for (const output of [1, 2]) fs.writeSync(output, `flushed ${fs.readdirSync(folder).sort().join(' ')}\n`);
};
syncBuiltinESMExports();
