/** Makes a process wait for a file before it removes or renames another one, as if it had been stopped there. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { REMOVAL_WAITS_FOR: file = '' } = process.env;
for (const name of ['unlinkSync', 'renameSync']) {
  const original = fs[name];
  fs[name] = (...args) => {
    process.stdout.write('about to remove\n');
    while (!fs.existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    return original(...args);
  };
}
syncBuiltinESMExports();
