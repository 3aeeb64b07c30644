/** The frameworks that the examples of servers are tried with. docs/library.md has them as a table. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LIST_API_KEYS_PATH } from '../../src/service/api/request.ts';

export interface Framework {
  readonly name: string;
  readonly version: string;
  /** Of examples/servers, without `.js`. */
  readonly example: string;
  /** Those of `gzip` and `br` that a large page comes in, each where the client takes nothing else. */
  readonly codings: readonly string[];
  /** What npm installs for a soak, in a project with Keyroster's package. Without it the framework is in this project, for `npm test`. */
  readonly packages?: readonly string[];
  /** Where the example is in the project when its paths are below this one. */
  readonly file: (basePath: string) => string;
  /** Run in the project when the example is there. */
  readonly build?: Command;
  readonly command: (file: string) => Command;
  /** What the example leaves to its framework, or to its user. */
  readonly leaves?: readonly ('other paths' | 'CORS')[];
  /** Headers that the framework drops or has its own of. */
  readonly ownHeaders?: readonly string[];
}

/** A program and its arguments. */
type Command = readonly [string, ...string[]];

export const EXAMPLES = new URL('../../examples/servers/', import.meta.url);

const RESOLVE = fileURLToPath(new URL('./resolve-keyroster.ts', import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const withVersion = (name: string) => `${name}@${devDependencies[name]}`;

const platform = `${process.platform}-${process.arch}`;
const DENO = `node_modules/@deno/${platform}${process.platform === 'linux' ? '-glibc' : ''}/deno`;
const NEXT = [process.execPath, 'node_modules/next/dist/bin/next'] as const;
const NEST = ['@nestjs/core@11.2.10', '@nestjs/common@11.2.10', 'reflect-metadata', 'rxjs'] as const;

type Tried = Pick<Framework, 'name' | 'example' | 'codings'> & Partial<Framework>;

const file = (basePath: string) => `server${basePath.replace('/', '-')}.mjs`;

const here = (dependency: string, tried: Tried): Framework => ({
  file,
  command: server => [process.execPath, '--import', RESOLVE, server],
  version: devDependencies[dependency],
  ...tried,
});

const installed = (packages: readonly [string, ...string[]], tried: Tried): Framework => ({
  file,
  command: server => [process.execPath, server],
  packages,
  version: packages[0].replace(/^.+@/, ''),
  ...tried,
});

const next = (version: string) =>
  installed([`next@${version}`, 'react', 'react-dom'], {
    name: 'Next',
    example: 'next-route',
    codings: ['gzip'],
    file: basePath => `app${basePath}${LIST_API_KEYS_PATH}/route.js`,
    build: [...NEXT, 'build'],
    command: () => [...NEXT, 'start', '--hostname', '127.0.0.1'],
    leaves: ['other paths', 'CORS'],
    ownHeaders: ['content-length', 'vary'],
  });

export const frameworks: readonly Framework[] = [
  here('node', { name: 'node:http', example: 'node-http', codings: ['gzip', 'br'] }),
  here('express', { name: 'Express', example: 'express', codings: ['gzip', 'br'] }),
  installed(['express@4.22.3', withVersion('compression'), withVersion('cors')], {
    name: 'Express',
    example: 'express',
    codings: ['gzip', 'br'],
  }),
  here('fastify', { name: 'Fastify', example: 'fastify', codings: ['gzip', 'br'] }),
  here('koa', { name: 'Koa', example: 'koa', codings: ['gzip', 'br'] }),
  here('hono', { name: 'Hono', example: 'hono', codings: ['gzip'] }),
  installed(['bun@1.4.5', withVersion('hono')], {
    name: 'Bun',
    example: 'bun',
    codings: ['gzip'],
    command: server => [`node_modules/@oven/bun-${platform}/bin/bun`, server],
  }),
  installed(['deno@2.9.6', withVersion('hono')], {
    name: 'Deno',
    example: 'deno',
    codings: ['gzip'],
    command: server => [DENO, 'run', '--allow-all', server],
  }),
  next('15.5.29'),
  next('16.4.6'),
  installed([...NEST, '@nestjs/platform-express@11.2.10', withVersion('compression')], {
    name: 'Nest',
    example: 'nest',
    codings: ['gzip', 'br'],
    leaves: ['other paths'],
  }),
  installed([...NEST, '@nestjs/platform-fastify@11.2.8', withVersion('@fastify/compress')], {
    name: 'Nest over Fastify',
    example: 'nest-fastify',
    codings: ['gzip', 'br'],
    leaves: ['other paths'],
  }),
];
