/** Preloaded into a process (`--import`): writes the URLs of all modules that it has loaded to standard error, at its end. */
import { registerHooks } from 'node:module';
import process from 'node:process';
import './resolve-keyroster.ts';

const loaded = [];
registerHooks({
  load: (url, context, next) => {
    loaded.push(url);
    return next(url, context);
  },
});
process.once('exit', () => process.stderr.write(loaded.join('\n')));
