/** Preloaded into a process (`--import`): writes the URLs of all modules that it has loaded to standard error, at its end. */
import { registerHooks } from 'node:module';
import process from 'node:process';

const library = new URL('../../src/service/library.ts', import.meta.url).href;
const loaded = [];
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'keyroster' ? library : specifier, context),
  load: (url, context, next) => {
    loaded.push(url);
    return next(url, context);
  },
});
process.once('exit', () => process.stderr.write(loaded.join('\n')));
