/** `node --import` this to run a program that imports the installed package over the sources. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      specifier === 'keyroster' ? new URL('../../src/service/library.ts', import.meta.url).href : specifier,
      context,
    ),
});
