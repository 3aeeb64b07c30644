// As wrangler does it. Nothing is replaced, and nothing left out but what the runtime has.
import { build } from 'esbuild';

const { metafile } = await build({
  entryPoints: ['worker.mjs'],
  outfile: 'bundle.mjs',
  bundle: true,
  format: 'esm',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['node:*'],
  metafile: true,
});
const imported = metafile.outputs['bundle.mjs'].imports.map(({ path }) => path);
process.stdout.write(`${imported.join(' ')}\n`);
