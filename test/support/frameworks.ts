/** What the examples of servers are tried with. docs/library.md has it as a table. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';

export interface Framework {
  /** Of examples/servers, without `.js`. */
  readonly example: string;
  readonly version: string;
  /** Those of gzip and br that a large page comes in, each where the client takes nothing else; or `none`. */
  readonly codings: string;
  /** What npm installs beside Keyroster's package, for a soak. Without it all is in this project, for `npm test`. */
  readonly packages?: readonly string[];
  /** Where a project has the example whose paths are below this one. */
  readonly file: (basePath: string) => string;
  /** More files of the project, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** Run in the project when its files are there. */
  readonly build?: Command;
  readonly command: (file: string) => Command;
  /** What the example leaves to its framework or its user. */
  readonly leaves?: readonly ('other paths' | 'CORS' | 'its end')[];
  /** Headers that the framework drops or has its own of. */
  readonly ownHeaders?: readonly string[];
}

/** A program and its arguments. */
type Command = readonly [string, ...string[]];

export const EXAMPLES = new URL('../../examples/servers/', import.meta.url);

const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const own = (name: string) => `${name}@${devDependencies[name]}`;
const RESOLVE = fileURLToPath(new URL('./resolve-keyroster.ts', import.meta.url));
const file = (basePath: string) => `server${basePath.replace('/', '-')}.mjs`;

const here = (example: string, codings: string, dependency = example): Framework => ({
  ...{ example, codings, file, version: devDependencies[dependency] },
  command: server => [process.execPath, '--import', RESOLVE, server],
});

const installed = (
  example: string,
  codings: string,
  packages: readonly [string, ...string[]],
  more: Partial<Framework> = {},
): Framework => ({
  ...{ example, codings, file, packages, version: packages[0].replace(/^.+@/, '') },
  command: server => [process.execPath, server],
  ...more,
});

const NEXT = [process.execPath, 'node_modules/next/dist/bin/next'] as const;
const inNext: Partial<Framework> = {
  file: basePath => `app${basePath}${LIST_API_KEYS_PATH}/route.js`,
  files: { 'next.config.mjs': "export default { serverExternalPackages: ['keyroster'] };" },
  build: [...NEXT, 'build'],
  command: () => [...NEXT, 'start', '--hostname', '127.0.0.1'],
  leaves: ['other paths', 'CORS', 'its end'],
  ownHeaders: ['content-length', 'vary'],
};
const REACT = ['react', 'react-dom'];

const NEST = ['@nestjs/core@11.2.10', '@nestjs/common@11.2.10', 'reflect-metadata', 'rxjs'] as const;
const inNest: Partial<Framework> = { leaves: ['other paths'] };

const platform = `${process.platform}-${process.arch}`;
const BUN = `node_modules/@oven/bun-${platform}/bin/bun`;
const DENO = `node_modules/@deno/${platform}${process.platform === 'linux' ? '-glibc' : ''}/deno`;

export const frameworks: readonly Framework[] = [
  here('node-http', 'gzip, br', 'node'),
  here('express', 'gzip, br'),
  installed('express', 'gzip, br', ['express@4.22.3', own('compression'), own('cors')]),
  here('fastify', 'gzip, br'),
  here('koa', 'gzip, br'),
  here('hono', 'gzip'),
  installed('bun', 'gzip', ['bun@1.4.5', own('hono')], { command: server => [BUN, server] }),
  installed('deno', 'gzip', ['deno@2.9.6', own('hono')], {
    command: server => [DENO, 'run', '--allow-all', server],
  }),
  installed('nest', 'gzip, br', [...NEST, '@nestjs/platform-express@11.2.10', own('compression')], inNest),
  installed(
    'nest-fastify',
    'gzip, br',
    [...NEST, '@nestjs/platform-fastify@11.2.8', own('@fastify/compress')],
    inNest,
  ),
  installed('next-route', 'none', ['next@15.5.29', ...REACT], inNext),
  installed('next-route', 'gzip', ['next@16.4.6', ...REACT], inNext),
];
