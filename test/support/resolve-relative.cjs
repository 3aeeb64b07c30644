/**
 * Preloaded into each process of a run of the tests. Node looks for a package.json in each folder above each module, which takes a
 * seventh of the CPU time of a short command. A relative path to a file of ours needs none of that.
 */
const { registerHooks } = require('node:module');

registerHooks?.({
  resolve: (specifier, context, next) => {
    if (/^\.\.?\/.*\.ts$/.test(specifier) && context.parentURL?.startsWith('file:'))
      return {
        url: new URL(specifier, context.parentURL).href,
        format: 'module-typescript',
        shortCircuit: true,
      };
    if (specifier === 'node:http') leaveWebSocketsOut();
    return next(specifier, context);
  },
});

/** An import of `node:http` gets all that it exports, for which Node 26 loads its client of WebSockets: a tenth of a short process. */
function leaveWebSocketsOut() {
  const http = process.getBuiltinModule('node:http'); // `require` would come back to the hook
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent'])
    if (Object.getOwnPropertyDescriptor(http, name)?.get)
      Object.defineProperty(http, name, { value: undefined });
}
