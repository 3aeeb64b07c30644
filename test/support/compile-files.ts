/**
 * Strips the types of the files of its arguments, and compiles them, into the cache of the run. Without it each test file's process
 * would load the compiler for that one file, which takes longer than the rest of its start.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const files = new Set(process.argv.slice(2).map(file => pathToFileURL(file).href));
const NOTHING = 'data:text/javascript,';

// A module is compiled before its imports are looked at. As these export nothing, none of the files is run.
registerHooks({
  resolve: (specifier, context, next) =>
    files.has(String(context.parentURL))
      ? { url: `${NOTHING}//${encodeURIComponent(specifier)}`, format: 'module', shortCircuit: true }
      : next(specifier, context),
});
for (const file of files) await import(file).catch(() => {});
