/** `node --import` this to run a program that imports the installed package over the sources. */
import { registerHooks } from 'node:module';

const file = (name: string) => new URL(`../../src/service/library/${name}.ts`, import.meta.url).href;
const ENTRIES = new Map([
  ['keyroster', file('library')],
  ['keyroster/own-store', file('own-store')],
]);

registerHooks({
  resolve: (specifier, context, next) => next(ENTRIES.get(specifier) ?? specifier, context),
});
